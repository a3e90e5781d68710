// Hold'em: two seats at a felt, the board by streets, chips where they lie, and a bet of any size.
import type { Shapes, TableState } from "../../api/client";
import type { Play } from "../../moves/place";
import { AmountButton, AmountFields, amountsOf, useAmount } from "../../moves/amount";
import { capitalized } from "../../format/numbers";
import { nearSeat } from "../../format/table";
import type { BoardProps } from "../drawing";
import { Face } from "../../ui/face";
import { isBet, PokerMoves } from "../poker/choose";
import { Chips, nameOf, Pot, TurnLine } from "../table-top";

type HoldemView = Shapes["HoldemView"];

/** What a player sees, as far as it may be shown here. */
export function viewOf(state: TableState, player = nearSeat(state)): HoldemView | undefined {
  const view =
    player === state.seat ? state.view : (state.sides[player] ?? (player === nearSeat(state) ? state.view : undefined));
  return view?.kind === "holdem" ? view : undefined;
}

export const bigBlinds = (chips: number, { blinds }: HoldemView) =>
  `${chips < 0 ? "−" : ""}${Number((Math.abs(chips) / (blinds[1] ?? 1)).toFixed(1))} bb`;

const FELT =
  "felt relative flex h-full flex-col items-center justify-between rounded-[2rem]! border-8 " +
  "border-[#5b3a1e] px-3 py-2 shadow-xl [--card:min(4.6rem,13cqh,14cqw)] sm:rounded-[6rem]! sm:px-8 " +
  "sm:py-4";

export function HoldemBoard({ state }: BoardProps) {
  const felt = viewOf(state);
  if (!felt) return null;
  const near = nearSeat(state);
  const other = 1 - near;
  const all = felt.pot + sum(felt.bets);
  return (
    <div className={FELT}>
      <Seat state={state} player={other} felt={felt} />
      <Chips count={felt.bets[other] ?? 0} zone={`bet ${other}`} from={`stack ${other}`} to="pot" />
      <div data-tour="middle" className="flex flex-col items-center gap-2">
        <div className="flex gap-1.5 sm:gap-2" role="group" aria-label="Board">
          {[0, 1, 2, 3, 4].map((place) => (
            <span key={place} className={place >= 3 ? "ml-1 sm:ml-2" : ""}>
              {felt.board[place] ? (
                <Card text={felt.board[place]} zone={`board ${place}`} from="pot" />
              ) : (
                <span
                  aria-hidden
                  className="block aspect-5/7 w-(--card) rounded-lg border border-dashed border-white/25"
                />
              )}
            </span>
          ))}
        </div>
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-sm">
          <Pot chips={all}>
            <span className="opacity-90"> ({bigBlinds(all, felt)})</span>
          </Pot>
          <span>{capitalized(felt.street)}</span>
          <TurnLine state={state} />
        </div>
      </div>
      <Chips count={felt.bets[near] ?? 0} zone={`bet ${near}`} from={`stack ${near}`} to="pot" />
      <Seat state={state} player={near} felt={felt} />
      <p className="sr-only">{state.picture}</p>
    </div>
  );
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

function Card({
  text,
  dim = false,
  zone,
  from,
}: {
  text: string | undefined;
  dim?: boolean;
  zone?: string;
  from?: string;
}) {
  const travels = { "data-zone": zone, "data-from": from };
  if (!text) return <span role="img" aria-label="a hidden card" {...travels} className="card card-back" />;
  const [rank, suit] = [text.slice(0, -1), text.slice(-1)];
  return (
    <span
      role="img"
      aria-label={text}
      {...travels}
      className={`card ${suit === "♥" || suit === "♦" ? "text-[#b3261e]!" : ""} ${dim ? "opacity-55" : ""}`}
    >
      <span className="absolute top-0 left-[8%] font-serif text-[calc(var(--card)*0.38)] leading-tight font-bold">
        {rank === "T" ? "10" : rank}
      </span>
      <span className="absolute right-[4%] bottom-0 text-[calc(var(--card)*0.52)] leading-tight">{suit}</span>
    </span>
  );
}

const PLATE = "flex w-44 flex-col rounded-xl px-3 py-1.5 text-sm sm:w-52";

function Seat({ state, player, felt }: { state: TableState; player: number; felt: HoldemView }) {
  const own = player === nearSeat(state);
  const theirs = viewOf(state, player);
  const folded = felt.folded === player;
  const won = state.result && (state.result.payoffs[player] ?? 0) > 0;
  const cards = (
    <span className={`flex gap-1.5 ${won ? "rounded-xl ring-4 ring-[#ffd66b]" : ""}`}>
      <Card text={theirs?.cards[0]} dim={folded} zone={`card ${player} 0`} from="pot" />
      <Card text={theirs?.cards[1]} dim={folded} zone={`card ${player} 1`} from="pot" />
    </span>
  );
  const last = state.history.findLast((event) => event.actor === player);
  const plate = (
    <div
      data-anchor={`stack ${player}`}
      className={`${PLATE} ${state.player === player ? "bg-white/90 text-black" : "bg-black/35"}`}
    >
      <span className="flex items-center gap-2">
        {player === 0 && <Button />}
        {state.seats[player]?.agent && <Face name={nameOf(state, player)} className="-ml-1.5 size-6 max-sm:hidden" />}
        <b className="truncate">{nameOf(state, player)}</b>
        <span className="ml-auto text-xs whitespace-nowrap opacity-85">{felt.names[player]}</span>
      </span>
      <span className="font-mono">
        {felt.stacks[player]}{" "}
        <span className="text-xs opacity-85">chips, {bigBlinds(felt.stacks[player] ?? 0, felt)}</span>
      </span>
      <span className="h-4 truncate text-xs">
        {folded
          ? "folded"
          : theirs?.made && (own || state.turn === "over")
            ? capitalized(theirs.made)
            : last
              ? capitalized(last.text)
              : ""}
      </span>
    </div>
  );
  return (
    <section
      aria-label={nameOf(state, player)}
      data-side={own ? "own" : "other"}
      data-tour={own ? "you" : "others"}
      className="flex items-center justify-center gap-3"
    >
      {cards}
      {plate}
    </section>
  );
}

const DEALER =
  "grid size-6 flex-none place-items-center rounded-full border border-black/30 bg-[#fffdf7] text-xs " +
  "font-bold text-[#26211a] shadow";

function Button() {
  return (
    <span title="the dealer's button" role="img" aria-label="dealer's button" className={DEALER}>
      D
    </span>
  );
}

// ------------------------------------------------------------------------------------------------- what can be done

export function HoldemChoose({ state, play }: BoardProps) {
  const felt = viewOf(state);
  if (!felt) return null;
  return <Choose key={state.ply} state={state} felt={felt} play={play} />;
}

function Choose({ state, felt, play }: { state: TableState; felt: HoldemView; play: Play }) {
  const amounts = amountsOf(state.legal.filter(isBet));
  const high = Math.max(...felt.bets);
  const call = high - (felt.bets[nearSeat(state)] ?? 0);
  const after = felt.pot + 2 * high; // the pot, once it is called
  const share = (part: number) => high + Math.floor(part * after);
  const chosen = useAmount(amounts, share(0.5));
  if (!amounts || amounts.least === amounts.most)
    return <PokerMoves state={state} play={play} above={<Odds call={call} pot={felt.pot + sum(felt.bets)} />} />;
  const usual = [
    { text: "min", value: amounts.least },
    { text: "½ pot", value: share(0.5) },
    { text: "pot", value: share(1) },
    { text: "2× pot", value: share(2) },
    { text: "all-in", value: amounts.most },
  ];
  const what = high === 0 ? "Bet" : "Raise to";
  const hint =
    chosen.value === amounts.most
      ? "all-in"
      : after > 0
        ? `${Math.round((100 * (chosen.value - high)) / after)} % pot`
        : "";
  return (
    <PokerMoves
      state={state}
      play={play}
      above={
        <>
          <Odds call={call} pot={felt.pot + sum(felt.bets)} />
          <AmountFields chosen={chosen} play={play} what={what} usual={usual} />
        </>
      }
      bet={<AmountButton chosen={chosen} play={play} what={what} hint={hint} shortcut="r" />}
    />
  );
}

/** What a call costs and how often it must win; the line is kept where there is nothing to call. */
function Odds({ call, pot }: { call: number; pot: number }) {
  return (
    <p className="min-h-4 text-center text-xs leading-4 text-soft">
      {call > 0 &&
        `${call} to call for a pot of ${pot}: it pays if you win more than ${Math.round((100 * call) / (pot + call))} % of the time.`}
    </p>
  );
}

export function Streets({ state }: { state: TableState }) {
  const view = viewOf(state);
  if (!view) return null;
  return (
    <ol aria-label="The hand so far" className="mb-2 space-y-0.5 border-b border-line pb-2 text-sm text-soft">
      {view.history.map(({ street, cards, moves }, index) => {
        const begins =
          index === 0 ? `Blinds ${view.blinds.join(" and ")}` : `${capitalized(street)} ${cards.join(" ")}`;
        return (
          <li key={street}>
            {[begins, ...moves.map((move) => `${view.names[move.player]} ${move.text}`)].join(", ")}.
          </li>
        );
      })}
    </ol>
  );
}
