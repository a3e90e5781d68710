// Hold'em: two seats at a felt, the board by streets, chips where they lie, and a bet of any size.
import type { ReactNode } from "react";
import type { LegalMove, Shapes, TableState } from "../../api/client";
import { byArrows, keyOf, type Play } from "../../parts/moves";
import { AmountMove, amountsOf } from "../../parts/range";
import { first, nearSide, plural } from "../../words";
import type { BoardProps } from "../drawing";
import { nameOf, TurnLine } from "../table-top";

type HoldemView = Shapes["HoldemView"];

/** What a player sees, as far as it may be shown here. */
export function viewOf(state: TableState, player = nearSide(state)): HoldemView | undefined {
  const view = player === state.seat ? state.view : (state.sides[player] ?? (player === nearSide(state) ? state.view : undefined));
  return view?.kind === "holdem" ? view : undefined;
}

export const bigBlinds = (chips: number, { blinds }: HoldemView) => `${chips < 0 ? "−" : ""}${Number((Math.abs(chips) / (blinds[1] ?? 1)).toFixed(1))} bb`;

export function HoldemBoard({ state, play }: BoardProps) {
  const felt = viewOf(state);
  if (!felt) return null;
  const near = nearSide(state);
  const other = 1 - near;
  const all = felt.pot + sum(felt.bets);
  return (
    <div className="space-y-3">
      <div className="felt relative mx-auto flex flex-col items-center gap-2 rounded-[2rem]! border-8 border-[#5b3a1e] px-3 py-4 shadow-xl sm:gap-3 sm:rounded-[6rem]! sm:px-8">
        <Seat state={state} player={other} felt={felt} />
        <Bet chips={felt.bets[other] ?? 0} />
        <div className="flex flex-col items-center gap-2">
          <div className="flex gap-1.5 sm:gap-2" role="group" aria-label="Board">
            {[0, 1, 2, 3, 4].map((place) => (
              <span key={place} className={place >= 3 ? "ml-1 sm:ml-2" : ""}>
                {felt.board[place] ? <Card text={felt.board[place]} /> : <span aria-hidden className="block aspect-5/7 w-(--wide) rounded-lg border border-dashed border-white/25" style={SIZE} />}
              </span>
            ))}
          </div>
          <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-sm">
            <span className="rounded-full bg-black/30 px-3 py-1">
              Pot <b data-testid="pot">{all}</b> <span className="opacity-75">({bigBlinds(all, felt)})</span>
            </span>
            <span className="opacity-85">{first(felt.street)}</span>
            <TurnLine state={state} />
          </p>
        </div>
        <Bet chips={felt.bets[near] ?? 0} />
        <Seat state={state} player={near} felt={felt} />
        <p className="sr-only">{state.picture}</p>
      </div>
      {state.legal.length > 0 && <Choose key={state.ply} state={state} felt={felt} play={play} />}
      <Streets view={felt} />
    </div>
  );
}

const SIZE = { "--wide": "clamp(2.9rem, 11.5vw, 4.4rem)" } as Record<string, string>;
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

function Card({ text, dim = false }: { text: string | undefined; dim?: boolean }) {
  if (!text) return <span role="img" aria-label="a hidden card" className="card card-back w-(--wide)!" style={SIZE} />;
  const [rank, suit] = [text.slice(0, -1), text.slice(-1)];
  return (
    <span role="img" aria-label={text} className={`card arrive w-(--wide)! ${suit === "♥" || suit === "♦" ? "text-[#b3261e]!" : ""} ${dim ? "opacity-55" : ""}`} style={SIZE}>
      <span className="absolute top-0.5 left-1.5 font-serif text-lg leading-6 font-bold sm:text-2xl sm:leading-8">{rank === "T" ? "10" : rank}</span>
      <span className="absolute right-1 bottom-0 text-2xl sm:text-4xl">{suit}</span>
    </span>
  );
}

function Seat({ state, player, felt }: { state: TableState; player: number; felt: HoldemView }) {
  const own = player === state.seat;
  const theirs = viewOf(state, player);
  const folded = felt.folded === player;
  const won = state.result && (state.result.payoffs[player] ?? 0) > 0;
  const cards = (
    <span className={`flex gap-1.5 ${won ? "rounded-xl ring-4 ring-[#ffd66b]" : ""}`}>
      <Card text={theirs?.cards[0]} dim={folded} />
      <Card text={theirs?.cards[1]} dim={folded} />
    </span>
  );
  const last = state.history.findLast((event) => event.actor === player);
  const plate = (
    <div className={`flex min-w-44 flex-col rounded-xl px-3 py-1.5 text-sm ${state.player === player ? "bg-white/90 text-black" : "bg-black/35"}`}>
      <span className="flex items-center gap-2">
        {player === 0 && <Button />}
        <b className="max-w-44 truncate">{nameOf(state, player)}</b>
        <span className="opacity-75">{felt.names[player]}</span>
      </span>
      <span className="font-mono">
        {felt.stacks[player]} <span className="text-xs opacity-75">chips, {bigBlinds(felt.stacks[player] ?? 0, felt)}</span>
      </span>
      <span className="min-h-5 text-xs">{folded ? "folded" : theirs?.made && (own || state.turn === "over") ? first(theirs.made) : last ? first(last.text) : ""}</span>
    </div>
  );
  return (
    <section aria-label={nameOf(state, player)} className="flex flex-wrap items-center justify-center gap-3">
      {cards}
      {plate}
    </section>
  );
}

function Button() {
  return (
    <span title="the dealer's button" role="img" aria-label="dealer's button" className="grid size-6 place-items-center rounded-full border border-black/30 bg-[#fffdf7] text-xs font-bold text-[#26211a] shadow">
      D
    </span>
  );
}

/** Chips in front of a player; the place stays where there are none. */
function Bet({ chips }: { chips: number }) {
  return (
    <span className={`flex h-7 items-center gap-1.5 rounded-full px-2 text-sm ${chips ? "arrive bg-black/30" : "invisible"}`}>
      <span aria-hidden className="flex -space-x-2.5">
        {Array.from({ length: chips > 50 ? 3 : chips > 8 ? 2 : 1 }, (_, i) => (
          <span key={i} className="inline-block size-5 rounded-full border-4 border-dashed border-white bg-[#b5322f] shadow" />
        ))}
      </span>
      <b>{chips}</b>
    </span>
  );
}

// ------------------------------------------------------------------------------------------------- what can be done

function Choose({ state, felt, play }: { state: TableState; felt: HoldemView; play: Play }) {
  const plain = state.legal.filter((move) => !isBet(move));
  const amounts = amountsOf(state.legal.filter(isBet));
  const high = Math.max(...felt.bets);
  const call = high - (felt.bets[nearSide(state)] ?? 0);
  const after = felt.pot + 2 * high; // the pot, once it is called
  const bet = high === 0;
  const share = (part: number) => high + Math.floor(part * after);
  const usual = amounts && [
    { text: "min", value: amounts.least },
    { text: "½ pot", value: share(0.5) },
    { text: "pot", value: share(1) },
    { text: "2× pot", value: share(2) },
    { text: "all-in", value: amounts.most },
  ];
  return (
    <section data-moves aria-label="Your move" className="space-y-2" onKeyDown={byArrows}>
      <div className="grid grid-cols-2 gap-2">
        {plain.map((move, index) => (
          <button
            key={move.id}
            type="button"
            disabled={!play}
            onClick={() => play?.(move.id)}
            className={`flex min-h-12 items-center justify-center gap-2 rounded-lg border-2 px-3 text-base font-semibold disabled:opacity-60 ${plain.length === 1 ? "col-span-2" : ""} ${move.verb === "fold" ? "border-line bg-panel text-bad hover:bg-raised" : "border-accent bg-panel text-accent hover:bg-raised"}`}
          >
            {label(move)}
            <kbd aria-hidden className="rounded border border-line px-1 font-mono text-xs font-normal text-soft">{keyOf(index)}</kbd>
          </button>
        ))}
      </div>
      {amounts && (
        <AmountMove
          amounts={amounts}
          play={play}
          what={bet ? "Bet" : "Raise to"}
          usual={usual ?? []}
          start={share(0.5)}
          hint={(value) => (value === amounts.most ? "all-in" : after > 0 ? `${Math.round((100 * (value - high)) / after)} % pot` : "")}
        />
      )}
      {call > 0 && <p className="text-center text-xs text-soft">{call} to call, to win a pot of {felt.pot + sum(felt.bets)}: it pays if you win more than {Math.round((100 * call) / (felt.pot + sum(felt.bets) + call))} % of the time.</p>}
    </section>
  );
}

const isBet = ({ verb }: LegalMove) => verb === "bet" || verb === "raise";

/** "Call 4, all-in". */
const label = ({ verb, amount, details }: LegalMove) => `${first(verb)}${amount === null ? "" : ` ${amount}`}${details.all_in ? ", all-in" : ""}`;

function Streets({ view }: { view: HoldemView }): ReactNode {
  return (
    <ol aria-label="The hand so far" className="space-y-0.5 px-1 text-sm text-soft">
      {view.history.map(({ street, cards, moves }, index) => {
        const begins = index === 0 ? `Blinds ${view.blinds.join(" and ")}` : `${first(street)} ${cards.join(" ")}`;
        return <li key={street}>{[begins, ...moves.map((move) => `${view.names[move.player]} ${move.text}`)].join(", ")}.</li>;
      })}
    </ol>
  );
}

// ------------------------------------------------------------------------------------------------- the end

/** Who won what with which hand. */
export function holdemVerdict(state: TableState): string | undefined {
  const felt = viewOf(state);
  const chips = state.seat === null ? undefined : state.result?.payoffs[state.seat];
  if (!felt || state.seat === null || chips === undefined) return undefined;
  const size = `${plural(Math.abs(chips), "chip")} (${bigBlinds(Math.abs(chips), felt)})`;
  const agent = nameOf(state, 1 - state.seat);
  if (felt.folded !== null) return felt.folded === state.seat ? `You fold and lose ${size}.` : `${agent} folds. You win ${size}.`;
  const theirs = viewOf(state, 1 - state.seat);
  const hands = theirs ? `You have ${felt.made}; ${agent} has ${theirs.made}.` : `You have ${felt.made}.`;
  return `${hands} ${chips === 0 ? "The pot is shared." : chips > 0 ? `You win ${size}.` : `You lose ${size}.`}`;
}
