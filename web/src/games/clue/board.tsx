// The table of Clue: the others with their cards, the file, what was suggested and who showed, one's hand; beside it the notepad.
import type { ReactNode } from "react";
import type { TableState } from "../../api/client";
import { initials } from "../../format/names";
import { nearSeat } from "../../format/table";
import { plural } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { TurnLine, nameOf, others } from "../table-top";
import { type ClueView, Face, clueOf, fileOf, shortName } from "./cards";
import { Notepad } from "./notepad";

type Suggestion = ClueView["suggestions"][number];

const FELT =
  "felt flex min-h-0 shrink-0 flex-col gap-1.5 overflow-hidden p-2 max-sm:h-36 " +
  "sm:min-w-0 sm:shrink sm:grow sm:gap-2 sm:p-3";

export function ClueBoard({ state, play }: BoardProps) {
  const view = clueOf(state);
  if (!view) return null;
  return (
    <div className="flex h-full min-h-0 flex-col gap-2 sm:flex-row">
      <div className={FELT}>
        <div data-tour="others" className="grid auto-cols-fr grid-flow-col gap-1.5 sm:gap-2">
          {others(state).map((p) => (
            <Place key={p} state={state} view={view} player={p} />
          ))}
        </div>
        <div data-tour="middle" className="flex min-h-0 grow gap-3 sm:border-y sm:border-white/15 sm:py-2">
          <File state={state} view={view} />
          <Log state={state} view={view} />
        </div>
        <Own state={state} view={view} />
      </div>
      <div className={`min-h-0 grow sm:shrink-0 sm:grow-0 ${state.players > 4 ? "sm:w-[25rem]" : "sm:w-[21rem]"}`}>
        <Notepad key={state.id} state={state} play={play} />
      </div>
    </div>
  );
}

/** The cards of a player, as far as they may be seen. */
const handOf = (state: TableState, player: number) => {
  const side = state.sides[player];
  return side?.kind === "clue" ? side.hand : undefined;
};

const PLAYER = "flex max-w-full items-center gap-1.5 rounded-full py-0.5 pr-2.5 pl-0.5 text-sm";

/** One of the others: a pile of cards, and what that player is about to do. */
function Place({ state, view, player }: { state: TableState; view: ClueView; player: number }) {
  const out = view.accusations.some(({ by }) => by === player);
  const active = state.player === player;
  const hand = handOf(state, player);
  const count = view.sizes[player] ?? 0;
  const name = nameOf(state, player);
  return (
    <section
      aria-label={name}
      data-side="other"
      className={`flex min-w-0 flex-col items-center gap-1 ${out ? "opacity-75" : ""}`}
    >
      <span title={name} className={`${PLAYER} ${active ? "bg-white/90 font-semibold text-black" : "bg-black/25"}`}>
        <Badge name={name} />
        <span className={`truncate ${state.players > 4 ? "max-sm:sr-only" : ""}`}>{name}</span>
        <span className="shrink-0 sm:hidden" aria-hidden>
          {out ? "out" : `× ${count}`}
        </span>
      </span>
      <span className="hidden sm:block">{hand ? <OpenHand view={view} hand={hand} /> : <Backs count={count} />}</span>
      <span className="text-xs whitespace-nowrap max-sm:sr-only">
        {plural(count, "card")}
        {out && <b className="ml-1 rounded bg-[#7a2724] px-1 text-white">out</b>}
      </span>
    </section>
  );
}

/** As in the head of the notepad's columns. */
const Badge = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="grid size-5 shrink-0 place-items-center rounded-full bg-[#fffdf7] text-[0.65rem] font-bold text-[#26211a]"
  >
    {initials(name)}
  </span>
);

function Backs({ count }: { count: number }) {
  return (
    <span
      role="img"
      aria-label={plural(count, "hidden card")}
      className="flex h-[calc(var(--card)*1.4)] [--card:min(1.9rem,6cqh)]"
    >
      {Array.from({ length: count }, (_, i) => (
        <span key={i} className="card card-back -ml-[calc(var(--card)*0.5)] rounded-sm! border-2! first:ml-0" />
      ))}
    </span>
  );
}

/** What somebody held, when it is told at the end. */
function OpenHand({ view, hand }: { view: ClueView; hand: number[] }) {
  return (
    <span role="group" aria-label="The hand, now open" className="flex flex-wrap justify-center gap-0.5">
      {hand.map((card) => (
        <span
          key={card}
          className="arrive rounded bg-[#fffdf7] px-1 py-0.5 text-[0.65rem] leading-none font-semibold whitespace-nowrap text-[#26211a]"
        >
          {shortName(view, card)}
        </span>
      ))}
    </span>
  );
}

function File({ state, view }: { state: TableState; view: ClueView }) {
  const file = fileOf(state, view);
  return (
    <section
      aria-label="The file"
      className={`shrink-0 flex-col items-center justify-center gap-1.5 sm:flex ${file.length ? "flex" : "hidden"}`}
    >
      <span className="flex flex-col gap-1 rounded-lg bg-[#c9a66b] p-1.5 shadow-md [--card:min(3.4rem,9cqh)]">
        <span className="text-center font-serif text-xs font-bold text-[#3b2c14]">The file</span>
        <span className="hidden flex-col gap-1 sm:flex">
          {[0, 1, 2].map((i) => (
            <Face key={i} deck={view} card={file[i]} />
          ))}
        </span>
        <span className="flex flex-col gap-0.5 sm:hidden">
          {file.map((card) => (
            <span key={card} className="rounded bg-[#fffdf7] px-1 text-[0.7rem] font-semibold text-[#26211a]">
              {shortName(view, card)}
            </span>
          ))}
        </span>
      </span>
    </section>
  );
}

// ------------------------------------------------------------------------------------------------- what was said

/** Everything that was suggested and wrongly accused; the newest below, where the list begins for who scrolls. */
function Log({ state, view }: { state: TableState; view: ClueView }) {
  const lines: { key: string; line: ReactNode }[] = [];
  view.suggestions.forEach((one, index) => {
    for (const wrong of view.accusations.filter(({ after }) => after === index))
      lines.push({
        key: `accused ${wrong.by}`,
        line: <Accused state={state} view={view} by={wrong.by} cards={wrong.cards} />,
      });
    lines.push({
      key: String(index),
      line: <Suggested state={state} view={view} one={one} last={index === view.suggestions.length - 1} />,
    });
  });
  for (const wrong of view.accusations.filter(({ after }) => after === view.suggestions.length))
    lines.push({
      key: `accused ${wrong.by}`,
      line: <Accused state={state} view={view} by={wrong.by} cards={wrong.cards} />,
    });
  if (lines.length === 0)
    return (
      <p className="m-auto text-center text-sm opacity-85">
        {view.dealt ? "Nothing has been suggested yet." : "The cards are being dealt."}
      </p>
    );
  return (
    <div
      role="group"
      aria-label="Suggestions so far"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached without a mouse
      tabIndex={0}
      className="flex min-h-0 min-w-0 grow flex-col-reverse overflow-y-auto pr-1"
    >
      <ol className="mb-auto space-y-1 sm:space-y-1.5">
        {lines.map(({ key, line }) => (
          <li key={key} className="arrive">
            {line}
          </li>
        ))}
      </ol>
    </div>
  );
}

const Triple = ({ view, cards }: { view: ClueView; cards: number[] }) => (
  <span className="font-serif font-bold">{cards.map((card) => shortName(view, card)).join(", ")}</span>
);

/** Who asked what, who had none, and who showed a card; which one, if one saw it. */
function Suggested({ state, view, one, last }: { state: TableState; view: ClueView; one: Suggestion; last: boolean }) {
  const passed = Array.from({ length: state.players - 1 }, (_, i) => (one.by + 1 + i) % state.players);
  const none = passed.slice(0, one.refuter === null ? undefined : passed.indexOf(one.refuter));
  const mine = one.by === state.seat;
  return (
    <p
      className={`text-xs leading-snug sm:rounded-lg sm:px-2 sm:py-1 sm:text-sm ${mine ? "sm:bg-white/15" : "sm:bg-black/20"}`}
    >
      <b>{nameOf(state, one.by)}:</b> <Triple view={view} cards={one.cards} />
      <span className="sm:block sm:text-xs">
        <span className="sm:hidden"> → </span>
        {one.refuter !== null && none.length > 0 && (
          <span className="opacity-85">
            {none.map((p) => nameOf(state, p)).join(" and ")}{" "}
            {none.length > 1 || none[0] === state.seat ? "have" : "has"} none;{" "}
          </span>
        )}
        <Answer state={state} view={view} one={one} last={last} />
      </span>
    </p>
  );
}

function Answer({ state, view, one, last }: { state: TableState; view: ClueView; one: Suggestion; last: boolean }) {
  if (one.refuter === null)
    return last && view.winner !== null ? <b className="text-[#ffd66b]">that is it!</b> : "nobody could show a card";
  const who = nameOf(state, one.refuter);
  if (last && view.answering !== null) return `${who === "You" ? "you" : who} must show a card`;
  const card =
    one.shown === null ? undefined : (
      <b className="rounded bg-[#fffdf7] px-1 text-[#26211a]">{shortName(view, one.shown)}</b>
    );
  return (
    <>
      {who === "You" ? "you" : who} showed {one.by === state.seat ? "you " : ""}
      {card ?? "a card"}
    </>
  );
}

function Accused({ state, view, by, cards }: { state: TableState; view: ClueView; by: number; cards: number[] }) {
  return (
    <p className="rounded-lg bg-[#7a2724] px-2 py-0.5 text-xs leading-snug text-white sm:py-1 sm:text-sm">
      <b>{nameOf(state, by)}</b> accused <Triple view={view} cards={cards} />, wrongly: out
    </p>
  );
}

// ------------------------------------------------------------------------------------------------- one's own side

function Own({ state, view }: { state: TableState; view: ClueView }) {
  const near = nearSeat(state);
  const hand = view.hand.length ? view.hand : (handOf(state, near) ?? []);
  return (
    <section
      aria-label={nameOf(state, near)}
      data-side="own"
      data-tour="you"
      className="flex flex-col items-center gap-2"
    >
      <span className="hidden sm:block">
        <TurnLine state={state} />
      </span>
      <span
        data-hand
        role="group"
        aria-label={state.seat === null ? "The hand" : "Your hand"}
        className="hidden justify-center gap-1.5 [--card:min(4.6rem,14cqh,8.4cqw)] sm:flex"
      >
        {hand.map((card) => (
          <Face key={card} deck={view} card={card} />
        ))}
        {hand.length === 0 && (
          <span className="text-sm opacity-85">{view.dealt ? plural(view.sizes[near] ?? 0, "hidden card") : ""}</span>
        )}
      </span>
      <span className="flex max-w-full gap-1 overflow-hidden text-[0.7rem] sm:hidden">
        {hand.map((card) => (
          <span
            key={card}
            className="truncate rounded bg-[#fffdf7] px-1 py-0.5 leading-none font-semibold text-[#26211a]"
          >
            {shortName(view, card)}
          </span>
        ))}
      </span>
    </section>
  );
}
