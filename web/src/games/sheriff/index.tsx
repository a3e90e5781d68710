// Sheriff: the smuggler's cargo, the sheriff, and between them the offers with their answers.
import type { ReactNode } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { keyOf } from "../../moves/keys";
import { MoveGroup } from "../../moves/move-group";
import { capitalized, plural } from "../../format/numbers";
import { payoffText } from "../../format/table";
import { type BoardProps, type Drawing, displayOf, faceDown } from "../drawing";
import { nameOf, TableTop } from "../table-top";

const SMUGGLER = 0;
const SHERIFF = 1;
const INSPECT = "1";

export const sheriff: Drawing = {
  Board: SheriffBoard,
  Choose: Offers,
  room: (state) => (Math.max(...termsOf(state).most) > 5 ? "h-40 sm:h-32" : "h-20"),
  unit: "point",
  verdict,
  reveal: faceDown("The crate is opened"),
  series: { games: 4, unit: "crate" },
  howTo: (state) => ({
    goal:
      state.seat === SHERIFF
        ? "You are the sheriff: find the goods, or take the bribe."
        : "You are the smuggler: get your goods past the sheriff.",
    steps: [
      "The smuggler loads illegal items, or none. Only the smuggler knows how many.",
      "Then they bargain. In every round the smuggler offers a bribe, and the sheriff says whether the cargo will be inspected.",
      "Only the last round counts: what was said before is only talk.",
      "If the cargo passes, the smuggler gets the value of the items and pays the bribe. If items are " +
        "found, the smuggler pays a fine to the sheriff; if there is nothing to find, the sheriff has to pay.",
    ],
  }),
  tour: [
    { at: "you", text: "Your side. The smuggler has a cargo that the sheriff does not see." },
    { at: "others", text: "The other side: one of you smuggles, the other is the sheriff." },
    { at: "middle", text: "What is at stake, and the offers and answers. Only those of the last round count." },
    { at: "moves", text: "What you can do now." },
  ],
};

function termsOf(state: TableState) {
  const { most = [], worth = [], offers = [], answers = [] } = displayOf(state, state.seat);
  const [items = 0, bribe = 0, rounds = 0] = most.map(Number);
  const [value = 0, fine = 0, compensation = 0] = worth.map(Number);
  return { most: [items, bribe], rounds, value, fine, compensation, offers, answers };
}

/** The smuggler's items, where they may be seen. */
const cargoOf = (state: TableState) => displayOf(state, SMUGGLER).items?.map(Number)[0];

function SheriffBoard({ state }: BoardProps) {
  return (
    <TableTop
      state={state}
      place={(player) => (player === SMUGGLER ? <Cargo state={state} /> : <Star />)}
      middle={
        <>
          <Stakes state={state} />
          <Rounds state={state} />
        </>
      }
    />
  );
}

const CRATES = "flex flex-wrap justify-center gap-1";

/** Crates, or one with a question mark for who does not see them. */
function Cargo({ state }: { state: TableState }) {
  const items = cargoOf(state);
  const loaded = state.ply > 0;
  const words =
    items === undefined
      ? loaded
        ? "a cargo that you do not see"
        : "no cargo yet"
      : items === 0
        ? "nothing illegal"
        : plural(items, "illegal item");
  return (
    <span className="flex min-h-[calc(var(--card)*0.7)] flex-col items-center justify-center gap-1">
      <span
        aria-hidden
        className={`${CRATES} ${(items ?? 0) > 5 ? "[--crate:calc(var(--card)*0.32)]" : "[--crate:calc(var(--card)*0.5)]"}`}
      >
        {items === undefined ? (
          loaded && <Crate text="?" />
        ) : items === 0 ? (
          <Crate text="" empty />
        ) : (
          Array.from({ length: items }, (_, i) => <Crate key={i} text="" />)
        )}
      </span>
      <span className="text-sm">{words}</span>
    </span>
  );
}

const CRATE =
  "relative grid size-(--crate) place-items-center overflow-hidden rounded-sm border-[calc(var(--crate)*0.09)]";

function Crate({ text, empty = false }: { text: string; empty?: boolean }) {
  return (
    <span
      className={`${CRATE} ${empty ? "border-dashed border-current opacity-70" : "border-[#5a3a1c] bg-[#b98149] shadow"}`}
    >
      {!empty && !text && (
        <svg viewBox="0 0 10 10" className="absolute inset-0 stroke-[#5a3a1c]" strokeWidth="1">
          <path d="M0 0 L10 10 M10 0 L0 10" />
        </svg>
      )}
      <b className="text-[calc(var(--crate)*0.6)] leading-none text-[#2c1a09]">{text}</b>
    </span>
  );
}

function Star() {
  return (
    <span className="flex min-h-[calc(var(--card)*0.7)] flex-col items-center justify-center gap-1">
      <svg aria-hidden viewBox="-10 -10 20 20" className="size-[calc(var(--card)*0.55)] drop-shadow">
        <polygon
          points="0,-9.5 2.4,-3.2 9,-2.9 3.9,1.3 5.6,7.7 0,4.1 -5.6,7.7 -3.9,1.3 -9,-2.9 -2.4,-3.2"
          fill="#f2c14e"
          stroke="#7a5a10"
          strokeWidth="0.8"
          strokeLinejoin="round"
        />
      </svg>
      <span className="text-sm">the sheriff</span>
    </span>
  );
}

function Stakes({ state }: { state: TableState }) {
  const { value, fine, compensation } = termsOf(state);
  return (
    <p className="max-w-[34rem] text-xs opacity-90 sm:text-sm">
      An item that passes is worth <b>{value}</b>. One that is found costs <b>{fine}</b>, to the sheriff. For an
      inspection in vain the sheriff pays <b>{compensation}</b>.
    </p>
  );
}

const ROUND = "rounded-lg px-2 py-1 text-sm";

const toneOf = (answer: string) => (answer === INSPECT ? "text-[#ffb3a8]" : "text-[#b9f0c8]");

/** All rounds, those to come too, so that nothing moves. */
function Rounds({ state }: { state: TableState }) {
  const { rounds, offers, answers } = termsOf(state);
  const now = Math.min(answers.length, rounds - 1);
  return (
    <ol
      aria-label="Rounds"
      className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] justify-center gap-1.5"
      style={{ width: `min(100%, ${rounds * 9}rem)` }}
    >
      {Array.from({ length: rounds }, (_, round) => {
        const [offer, answer] = [offers[round], answers[round]];
        const last = round === rounds - 1;
        return (
          <li
            key={round}
            className={`${ROUND} ${round === now && state.turn !== "over" ? "bg-black/45 ring-1 ring-[#ffd66b]" : "bg-black/25"}`}
          >
            <span className="block text-xs opacity-85">{last ? "last round: it counts" : `round ${round + 1}`}</span>
            <span className="flex h-6 items-center justify-center gap-1">
              {offer === undefined ? "…" : offer === "0" ? "no bribe" : <Coins count={Number(offer)} />}
            </span>
            <span className={`block font-semibold ${answer === undefined ? "invisible" : toneOf(answer)}`}>
              {answer === undefined ? "…" : answer === INSPECT ? "inspect" : "let pass"}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Coins({ count }: { count: number }) {
  return (
    <span role="img" aria-label={`a bribe of ${count}`} className="flex items-center gap-1">
      <span aria-hidden className="flex -space-x-2">
        {Array.from({ length: Math.min(count, 5) }, (_, i) => (
          <span key={i} className="inline-block size-4.5 rounded-full border-2 border-[#8a6410] bg-[#f2c14e] shadow" />
        ))}
      </span>
      <b aria-hidden>{count}</b>
    </span>
  );
}

const ANSWER =
  "flex min-h-10 items-center gap-2 rounded-lg border-2 border-accent bg-panel px-2 " +
  "text-sm sm:px-3 font-semibold text-accent hover:bg-raised";

/** The moves as large buttons, with what they mean. */
function Offers({ state, play }: BoardProps) {
  const { legal } = state;
  const asked: Record<string, string> = {
    load: "How many illegal items do you load?",
    offer: "What do you offer to the sheriff?",
    pass: "What do you answer?",
  };
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center gap-1.5">
      <p className="text-center text-sm text-soft">
        {asked[legal[0]?.verb ?? ""] ?? (state.player === null ? "" : `${nameOf(state, state.player)} thinks …`)}
      </p>
      <div className="flex flex-wrap justify-center gap-1.5 overflow-y-auto">
        {legal.map((move, index) => (
          <button
            key={move.id}
            type="button"
            disabled={!play}
            aria-keyshortcuts={keyOf(index) || undefined}
            onClick={() => play?.(move.id)}
            className={ANSWER}
          >
            <span className="sr-only">{capitalized(move.text)}</span>
            <span aria-hidden className="flex items-center gap-1.5">
              {labelOf(move)}
              {keyOf(index) && (
                <kbd className="rounded border border-current/40 px-1 font-mono text-xs font-normal max-sm:hidden">
                  {keyOf(index)}
                </kbd>
              )}
            </span>
          </button>
        ))}
      </div>
    </MoveGroup>
  );
}

function labelOf({ verb, details, text }: LegalMove): ReactNode {
  const number = Number(details.items ?? details.bribe);
  if (verb === "load") {
    return (
      <>
        <span className="[--crate:1.25rem]">
          <Crate text="" empty={number === 0} />
        </span>
        {number === 0 ? "none" : number}
      </>
    );
  }
  if (verb === "offer") return number === 0 ? "no bribe" : <Coins count={number} />;
  return capitalized(text);
}

/** "The cargo passed: 2 items." */
function verdict(state: TableState): { heading: string; text: string } | undefined {
  const { rounds, offers, answers } = termsOf(state);
  const [items, answer] = [cargoOf(state), answers[rounds - 1]];
  if (state.turn !== "over" || answer === undefined || items === undefined) return undefined;
  const cargo =
    items === 0
      ? "There was nothing illegal in it"
      : `There ${items === 1 ? "was" : "were"} ${plural(items, "illegal item")} in it`;
  const heading =
    answer === INSPECT ? (items === 0 ? "Inspected in vain" : "The goods were found") : "The cargo passed";
  return {
    heading,
    text: `${cargo}${answer === INSPECT ? "" : `, and the bribe was ${offers[rounds - 1]}`}. ${payoffText(state)}`,
  };
}
