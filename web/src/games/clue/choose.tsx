// What can be done in Clue: suggest or accuse with the cards that are picked in the notepad, show a card, end the turn.
import { type ReactNode, useCallback } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { Button, KeyHint } from "../../ui/basic";
import { MoveGroup } from "../../moves/move-group";
import { keyOf, useKeys } from "../../moves/keys";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import { type ClueView, KINDS, type Kind, Picture, cardsOf, clueOf, deckOf, shortName, withArticle } from "./cards";
import { type Picks, setPicks, usePicks } from "./notebook";

const JOINTS: Record<Kind, string> = { suspect: "", weapon: "with the", room: "in the" };

export function ClueChoose({ state, play }: BoardProps) {
  const view = clueOf(state);
  if (!view) return null;
  const shows = state.legal.filter(({ verb }) => verb === "show");
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center">
      {shows.length > 0 ? (
        <Show state={state} view={view} moves={shows} play={play} />
      ) : state.legal.length > 0 ? (
        <Build state={state} view={view} play={play} />
      ) : (
        <Waiting state={state} view={view} />
      )}
    </MoveGroup>
  );
}

/** While others are at it. */
function Waiting({ state, view }: { state: TableState; view: ClueView }) {
  const out = view.accusations.some(({ by }) => by === state.seat);
  const busy = view.answering ?? view.actor;
  const what = view.answering === null ? "is thinking …" : "must show a card …";
  return (
    <p className="text-center text-sm text-soft">
      {out && "Your accusation was wrong: you are out, but you still show cards. "}
      {state.seat === null ? "You are watching. " : ""}
      {view.dealt ? `${nameOf(state, busy)} ${what}` : "The cards are being dealt."}
    </p>
  );
}

// ------------------------------------------------------------------------------------------------- showing a card

const SUGGESTION =
  "flex min-h-12 min-w-0 grow basis-0 items-center gap-2 rounded-lg border-2 border-accent bg-panel " +
  "px-2 py-1 text-left text-sm leading-tight hover:bg-raised sm:max-w-56";

/** The cards that can be shown; those that the suggester knows of already are marked. */
function Show({
  state,
  view,
  moves,
  play,
}: {
  state: TableState;
  view: ClueView;
  moves: LegalMove[];
  play: BoardProps["play"];
}) {
  const asker = nameOf(state, view.actor);
  const deck = deckOf(view);
  const seen = new Set(
    view.suggestions.filter(({ by, refuter }) => by === view.actor && refuter === state.seat).map(({ shown }) => shown),
  );
  return (
    <div className="flex h-full flex-col justify-center gap-2">
      <p className="text-center text-sm">
        <b>
          Show {asker} a card{moves.length > 1 ? "" : ": you hold only this one"}.
        </b>{" "}
        <span className="hidden text-soft sm:inline">Nobody else sees it.</span>
      </p>
      <div className="flex justify-center gap-2">
        {moves.map((move, index) => (
          <button
            key={move.id}
            type="button"
            disabled={!play}
            aria-keyshortcuts={keyOf(index)}
            onClick={() => play?.(move.id)}
            className={SUGGESTION}
          >
            <Picture deck={view} card={deck.indexOf(move.card ?? "")} className="size-7 shrink-0" />
            <span className="min-w-0 grow">
              <span className="block font-semibold">{move.card}</span>
              {seen.has(deck.indexOf(move.card ?? "")) && (
                <span className="block text-xs text-soft">{asker} has seen it</span>
              )}
            </span>
            <KeyHint>{keyOf(index)}</KeyHint>
          </button>
        ))}
      </div>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- suggesting, accusing

/** The move that the picked cards are, if all three are picked. */
function moveOf(move: LegalMove | undefined, view: ClueView, picks: Picks): number | undefined {
  if (!move) return undefined;
  let index = 0;
  for (const kind of KINDS) {
    const card = picks[kind];
    if (card === undefined) return undefined;
    const cards = cardsOf(view, kind);
    index = index * cards.length + cards.indexOf(card);
  }
  return move.id + index;
}

function Build({ state, view, play }: { state: TableState; view: ClueView; play: BoardProps["play"] }) {
  const picks = usePicks(state.id);
  const suggest = state.legal.find(({ verb }) => verb === "suggest");
  const accuse = state.legal.find(({ verb }) => verb === "accuse");
  const end = state.legal.find(({ verb }) => verb === "end");
  const accusing = picks.accuse && accuse !== undefined;
  const made = moveOf(accusing ? accuse : suggest, view, picks);
  const go = useCallback(() => {
    if (made === undefined || !play) return;
    setPicks(state.id);
    play(made);
  }, [made, play, state.id]);
  const turnTo = useCallback((to: boolean) => setPicks(state.id, { ...picks, accuse: to }), [picks, state.id]);
  useKeys(
    useCallback(
      (key) => {
        const here = document.activeElement?.closest("[data-choose]"); // a button of these does what it says
        if (key === "Enter" && made !== undefined && !accusing && !here) go();
        else if (key === "a" && accuse) turnTo(!accusing);
        else if (key === "Escape" && accusing) turnTo(false);
        else return false;
        return true;
      },
      [made, go, accuse, accusing, turnTo],
    ),
  );
  const open = suggest !== undefined || accusing;
  const why = state.blocked.find(({ verb }) => verb === "suggest")?.reason;
  return (
    <div
      className={`flex h-full flex-col justify-center gap-2 rounded-xl px-2 ${accusing ? "border-2 border-bad bg-bad/10" : ""}`}
    >
      {open ? (
        <Slots view={view} picks={picks} accusing={accusing} />
      ) : (
        <p className="text-center text-sm">{lately(state, view) || why}</p>
      )}
      <div data-choose className="flex flex-wrap items-center justify-center gap-2">
        {accusing ? (
          <>
            <Button
              className="border-bad! bg-bad! font-semibold text-panel!"
              disabled={!play || made === undefined}
              onClick={go}
            >
              Accuse: this is final
            </Button>
            <Button disabled={!play} onClick={() => turnTo(false)}>
              Back
            </Button>
            <span className="text-xs text-bad">If it is wrong, you are out.</span>
          </>
        ) : (
          <>
            {suggest && (
              <Button
                look="main"
                disabled={!play || made === undefined}
                aria-keyshortcuts={made === undefined ? undefined : "Enter"}
                onClick={go}
              >
                Suggest <Enter />
              </Button>
            )}
            {end && (
              <Button look="main" disabled={!play} aria-keyshortcuts="e" onClick={() => play?.(end.id)}>
                End your turn{" "}
                <kbd aria-hidden className="rounded border border-current/40 px-1 font-mono text-xs font-normal">
                  e
                </kbd>
              </Button>
            )}
            {accuse && (
              <Button
                className="border-bad! text-bad!"
                disabled={!play}
                title="You have one accusation in the whole game"
                onClick={() => turnTo(true)}
              >
                Accuse … <KeyHint>a</KeyHint>
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const Enter = () => (
  <kbd aria-hidden className="hidden rounded border border-current/40 px-1 font-mono text-xs font-normal sm:inline">
    Enter
  </kbd>
);

const NAMED = "rounded-md border px-2 py-1 font-serif";
const MISSING = "border-dashed border-line text-soft italic";
const PICKED = "border-current font-bold";

/** "You suggest [Plum] with the [Knife] in the [Study]"; what is not picked yet is told. */
function Slots({ view, picks, accusing }: { view: ClueView; picks: Picks; accusing: boolean }) {
  const empty: Record<Kind, string> = { suspect: "who?", weapon: "with what?", room: "where?" };
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-1.5 gap-y-1 text-sm" aria-live="polite">
      <span className={accusing ? "font-semibold text-bad" : "text-soft max-sm:sr-only"}>
        {accusing ? "You accuse" : "You suggest"}
      </span>
      {KINDS.map((kind) => {
        const card = picks[kind];
        return (
          <span key={kind} className="flex items-center gap-1.5">
            {JOINTS[kind] && <span className="text-soft max-sm:sr-only">{JOINTS[kind]}</span>}
            <span
              data-to-pick={card === undefined ? kind : undefined}
              className={`${NAMED} ${card === undefined ? MISSING : `${PICKED} ${accusing ? "text-bad" : "text-accent"}`}`}
            >
              {card === undefined ? empty[kind] : shortName(view, card)}
            </span>
          </span>
        );
      })}
    </div>
  );
}

/** What came of one's suggestion. */
function lately(state: TableState, view: ClueView): ReactNode {
  const last = view.suggestions.at(-1);
  if (!last || last.by !== state.seat) return "";
  if (last.refuter === null) return <b>Nobody could refute your suggestion.</b>;
  return (
    <>
      {nameOf(state, last.refuter)} showed you <b>{last.shown === null ? "a card" : withArticle(view, last.shown)}</b>.
    </>
  );
}
