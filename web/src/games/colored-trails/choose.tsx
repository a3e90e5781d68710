// What can be done: a proposer puts an offer together, chip by chip; the responder accepts one of two, or neither.
import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { MoveGroup } from "../../moves/move-group";
import { useKeys } from "../../moves/keys";
import { formatSigned } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import { Chip, Chips, LETTERS, colourOf, counted } from "./chip";
import { RESPONDER, showPreview, sorted, trailsOf } from "./trails";

export function TrailsChoose({ state, play }: BoardProps) {
  if (state.seat === null) return null;
  if (state.turn !== "you")
    return (
      <p className="grid h-full place-items-center text-center text-sm text-soft">
        {state.turn === "over" || state.player === null ? "" : `${nameOf(state, state.player)} thinks …`}
      </p>
    );
  return state.seat === RESPONDER ? (
    <Answer state={state} play={play} />
  ) : (
    <Compose key={`${state.id} ${state.ply}`} state={state} play={play} />
  );
}

const placesOf = (words: unknown) =>
  String(words ?? "")
    .split(" ")
    .filter(Boolean)
    .map(Number);

/** While a move is looked at, the board shows the paths that it would open. */
function usePaths(state: TableState, move: LegalMove | undefined, proposer: number): void {
  const [mine, theirs] = [String(move?.details.proposer_path ?? ""), String(move?.details.responder_path ?? "")];
  useEffect(() => {
    showPreview(
      mine ? { table: state.id, paths: { [proposer]: placesOf(mine), [RESPONDER]: placesOf(theirs) } } : undefined,
    );
    return () => showPreview(undefined);
  }, [mine, theirs, proposer, state.id]);
}

// -------------------------------------------------------------------------------------------------- a proposer

function Compose({ state, play }: BoardProps) {
  const me = state.seat ?? 0;
  const { players } = trailsOf(state);
  const [gives, setGives] = useState<string[]>([]);
  const [gets, setGets] = useState<string[]>([]);
  const move = state.legal.find(
    ({ verb, details }) =>
      verb === "offer" &&
      details.gives === sorted(gives, LETTERS).join("") &&
      details.gets === sorted(gets, LETTERS).join(""),
  );
  const pass = state.legal.find(({ verb }) => verb === "pass");
  usePaths(state, move, me);
  const most = Math.max(
    0,
    ...state.legal.flatMap(({ details }) => [String(details.gives ?? "").length, String(details.gets ?? "").length]),
  );
  useKeys(
    useCallback(
      (key) => {
        const what = key === "o" ? move : key === "x" ? pass : undefined;
        if (!what || !play) return false;
        play(what.id);
        return true;
      },
      [move, pass, play],
    ),
  );
  const hint =
    gives.length > most || gets.length > most
      ? `At most ${most} chips from each side`
      : gives.some((letter) => gets.includes(letter))
        ? "The same colour on both sides changes nothing"
        : "Choose chips to give and chips to get";
  return (
    <div className="mx-auto flex h-full max-w-4xl flex-col gap-2 sm:flex-row">
      <div data-tour="split" className="grid min-h-0 grow grid-rows-2 gap-1.5 overflow-y-auto">
        <Pick title="You give" chips={players[me]?.chips ?? []} chosen={gives} choose={setGives} />
        <Pick
          title={`You get from ${nameOf(state, RESPONDER)}`}
          chips={players[RESPONDER]?.chips ?? []}
          chosen={gets}
          choose={setGets}
        />
      </div>
      <MoveGroup label="Your move" className="flex h-auto! shrink-0 gap-2 sm:w-64 sm:flex-col sm:justify-center">
        <Big shortcut="o" main onClick={play && move ? () => play(move.id) : undefined}>
          <span className="text-sm">Offer</span>
          <span aria-live="polite" className="text-xs font-normal">
            {move
              ? `you ${formatSigned(Number(move.details.proposer_gain)) || "0"}, ` +
                `${nameOf(state, RESPONDER)}: ${formatSigned(Number(move.details.responder_gain)) || "0"}`
              : hint}
          </span>
        </Big>
        <Big shortcut="x" onClick={play && pass ? () => play(pass.id) : undefined}>
          <span className="text-sm">Offer nothing</span>
        </Big>
      </MoveGroup>
    </div>
  );
}

const CHIP = "grid size-9 place-items-center rounded-lg border-2";

/** The chips of a side; a click puts one into the offer, or takes it back. */
function Pick({
  title,
  chips,
  chosen,
  choose,
}: {
  title: string;
  chips: string[];
  chosen: string[];
  choose: (next: string[]) => void;
}) {
  const [places, setPlaces] = useState<number[]>([]); // which of them: chips of a colour are alike, but not where they lie
  const put = (next: number[]) => {
    setPlaces(next);
    choose(chips.filter((_, i) => next.includes(i)));
  };
  return (
    <section
      aria-label={title}
      className="flex min-h-14 flex-col justify-center rounded-lg border border-line bg-panel px-2 py-1 text-ink"
    >
      <p className="text-xs text-soft">
        {title}: <b className="text-ink">{chosen.length ? counted(chosen) : "nothing yet"}</b>
      </p>
      <span className="flex flex-wrap gap-1">
        {chips.map((letter, i) => {
          const on = places.includes(i);
          return (
            <button
              key={i}
              type="button"
              aria-pressed={on}
              aria-label={`a ${colourOf(letter).name} chip`}
              onClick={() => put(on ? places.filter((place) => place !== i) : [...places, i])}
              className={`${CHIP} ${on ? "border-accent bg-accent/20" : "border-transparent hover:bg-raised"}`}
            >
              <Chip letter={letter} className="size-7" />
            </button>
          );
        })}
      </span>
    </section>
  );
}

// ------------------------------------------------------------------------------------------------ the responder

function Answer({ state, play }: BoardProps) {
  const { offers } = trailsOf(state);
  const [looked, setLooked] = useState<number>();
  const accepts = state.legal.filter(({ verb }) => verb === "accept");
  const pass = state.legal.find(({ verb }) => verb === "pass");
  usePaths(
    state,
    accepts.find(({ to }) => to === looked),
    looked ?? 0,
  );
  const keyFor = useCallback(
    (key: string) => {
      const move = key === "x" ? pass : accepts.find(({ to }) => String((to ?? 0) + 1) === key);
      if (!move || !play) return false;
      play(move.id);
      return true;
    },
    [accepts, pass, play],
  );
  useKeys(keyFor);
  return (
    <MoveGroup label="Your move" className="mx-auto flex max-w-4xl items-stretch gap-2">
      {[0, 1].map((q) => {
        const move = accepts.find(({ to }) => to === q);
        const offer = offers[q];
        return (
          <Big
            key={q}
            shortcut={String(q + 1)}
            look={() => setLooked(q)}
            onClick={play && move ? () => play(move.id) : undefined}
          >
            <span className="max-w-full truncate text-sm">
              {move ? `Accept ${nameOf(state, q)}` : `${nameOf(state, q)} offers nothing`}
            </span>
            {move && offer && (
              <>
                <span className="flex flex-wrap items-center justify-center gap-1 text-xs font-normal">
                  <Chips letters={offer.gives} className="size-5" /> for{" "}
                  <Chips letters={offer.gets} className="size-5" />
                </span>
                <span className="text-xs font-normal">
                  you {formatSigned(Number(move.details.responder_gain)) || "0"}, {nameOf(state, q)}:{" "}
                  {formatSigned(Number(move.details.proposer_gain)) || "0"}
                </span>
              </>
            )}
          </Big>
        );
      })}
      <Big shortcut="x" look={() => setLooked(undefined)} onClick={play && pass ? () => play(pass.id) : undefined}>
        <span className="text-sm">Accept neither</span>
      </Big>
    </MoveGroup>
  );
}

const BUTTON =
  "relative flex min-h-16 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-lg " +
  "border-2 px-2 leading-tight font-semibold hover:brightness-110 disabled:opacity-45";

function Big({
  shortcut,
  main = false,
  look,
  onClick,
  children,
}: {
  shortcut: string;
  main?: boolean;
  look?: () => void;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  const colours = main ? "border-transparent bg-accent text-accent-ink" : "border-accent bg-panel text-accent";
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut}
      disabled={!onClick}
      onClick={onClick}
      onPointerEnter={look}
      onFocus={look}
      className={`${BUTTON} ${colours}`}
    >
      {children}
      <kbd
        aria-hidden
        className="absolute top-1 right-1.5 hidden rounded border border-current/40 px-1 font-mono text-xs font-normal sm:inline"
      >
        {shortcut}
      </kbd>
    </button>
  );
}
