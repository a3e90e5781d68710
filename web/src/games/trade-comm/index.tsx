// Trade Comm: everybody's item, what they said, and the trades they asked for; words and trades to choose from.
import { type ReactNode, lazy, useCallback, useState } from "react";
import type { TableState } from "../../api/client";
import { MoveGroup } from "../../moves/move-group";
import { keyOf, useKeys } from "../../moves/keys";
import type { Play } from "../../moves/place";
import { type BoardProps, type Drawing, displayOf, faceDown } from "../drawing";
import { nameOf, TableTop } from "../table-top";
import { Item, Picture } from "./item";

const PARTNERS = 2;

export const tradeComm: Drawing = {
  Board: TradeBoard,
  Choose: TradeChoose,
  room: (state) => ((displayOf(state, state.seat).items?.length ?? 0) > 5 ? "h-60 sm:h-52" : "h-44 sm:h-48"),
  keyFor: ({ verb }, index) => (verb === "say" ? keyOf(index) : ""), // the keys of trades depend on what is given
  unit: "point",
  verdict,
  reveal: faceDown("Both show what they had"),
  series: { games: 5, unit: "trade" },
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  howTo: ({ seat }) => ({
    goal: "You and your partner want the same: that both ask for the right trade.",
    steps: [
      "Both of you get an item that the other does not see; it may be the same kind.",
      "One after the other you say a word. It means nothing but what you both take it to mean.",
      "Then each asks, in secret, to trade one item for another. If both ask to give their own item for the other's, both get a point.",
      ...(seat === null
        ? []
        : ["An honest partner says the item it has. Others may have agreed on something else, with themselves."]),
    ],
  }),
  tour: [
    { at: "you", text: "This is your item. Your partner does not see it." },
    { at: "others", text: "Your partner has an item too. What your partner says appears here." },
    { at: "moves", text: "Say a word. Your own item's name is a good choice, if your partner thinks so too." },
    {
      at: "middle",
      text: "When both have spoken, both ask for a trade: your item for the one you think your partner has.",
    },
  ],
};

const numberOf = (state: TableState, field: string) =>
  state.view.kind === "generic" ? Number(state.view.fields[field] ?? 0) : 0;

function verdict(state: TableState) {
  if (!state.result || state.result.outcome === "resigned") return undefined;
  if (state.result.payoffs[0]) return { heading: "The trade is made", text: "Both of you get a point." };
  return { heading: "No trade", text: "You did not ask for the same trade, or not for the items you had." };
}

function TradeBoard({ state }: BoardProps) {
  const { said = [] } = displayOf(state, state.seat);
  const moves = numberOf(state, "moves");
  return (
    <TableTop
      state={state}
      place={(player) => {
        const { item = [], asked = [] } = displayOf(state, player);
        const seen = player === state.seat || state.turn === "over";
        return (
          <span className="flex min-h-[calc(var(--card)*1.4)] items-center justify-center gap-3">
            <Item item={seen ? item[0] : undefined} zone={`item ${player}`} />
            <span className="flex flex-col items-start gap-1.5">
              {said[player] && <Said word={said[player]} />}
              {moves > PARTNERS + player && <Asked asked={seen ? asked : []} />}
            </span>
          </span>
        );
      }}
      middle={<p className="max-w-prose px-2 text-sm">{now(state, moves)}</p>}
    />
  );
}

/** What is going on. */
function now(state: TableState, moves: number): string {
  if (state.turn === "over" && state.result)
    return state.result.payoffs[0]
      ? "Both asked to give their own item for the other's."
      : "The two trades do not fit the two items.";
  if (moves < PARTNERS) return "Each says one word, which both hear.";
  return "Each asks for a trade, which the other does not see.";
}

function Said({ word }: { word: string }) {
  return (
    <span className="arrive flex items-center gap-1.5 rounded-2xl rounded-bl-none bg-[#fffdf7] px-2.5 py-1 text-sm text-[#26211a] shadow">
      <Picture item={word} className="size-5" />
      <span>
        “<b>{word}</b>”
      </span>
    </span>
  );
}

function Asked({ asked: [give, get] }: { asked: string[] }) {
  if (!give || !get)
    return <span className="arrive rounded-full bg-black/35 px-2.5 py-1 text-sm">has asked for a trade</span>;
  return (
    <span className="arrive flex items-center gap-1.5 rounded-full bg-black/35 px-2.5 py-1 text-sm">
      gives <b>{give}</b> for <b>{get}</b>
    </span>
  );
}

function TradeChoose({ state, play }: BoardProps) {
  const { items = [], item = [] } = displayOf(state, state.seat);
  const trading = numberOf(state, "moves") >= PARTNERS;
  if (trading) return <Trades key={state.id} state={state} play={play} items={items} own={item[0] ?? ""} />;
  const wordOf = (word: string) => state.legal.find(({ details }) => details.word === word);
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center gap-2">
      <p className="text-center text-sm text-soft">Say a word: both of you hear it.</p>
      <Row items={items}>
        {(word, index) => {
          const move = wordOf(word);
          return (
            <Tile
              item={word}
              label={`say ${word}`}
              hint={keyOf(index)}
              onClick={play && move ? () => play(move.id) : undefined}
            />
          );
        }}
      </Row>
    </MoveGroup>
  );
}

/** What is given, one's own item unless another is chosen, and then what for. */
function Trades({ state, play, items, own }: { state: TableState; play: Play; items: string[]; own: string }) {
  const [chosen, setChosen] = useState<string>();
  const give = chosen ?? own;
  const ask = useCallback(
    (get: string | undefined) => {
      const move = state.legal.find(({ details }) => details.give === give && details.get === get);
      if (move) play?.(move.id);
      return move !== undefined;
    },
    [state.legal, give, play],
  );
  useKeys(
    useCallback(
      (key) => key !== "" && play !== undefined && ask(items.find((_, index) => keyOf(index) === key)),
      [items, ask, play],
    ),
  );
  const able = play !== undefined && state.legal.length > 0;
  const partner = nameOf(state, 1 - (state.seat ?? 0));
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center gap-2">
      <label className="flex items-center justify-center gap-2 text-sm text-soft">
        I give
        <select
          className="field min-h-8! py-0!"
          value={give}
          disabled={!able}
          onChange={(event) => setChosen(event.target.value)}
        >
          {items.map((item) => (
            <option key={item}>{item}</option>
          ))}
        </select>
        and {partner} gives me
      </label>
      <Row items={items}>
        {(item, index) => (
          <Tile
            item={item}
            label={`trade ${give} for ${item}`}
            hint={keyOf(index)}
            onClick={able ? () => void ask(item) : undefined}
          />
        )}
      </Row>
    </MoveGroup>
  );
}

function Row({ items, children }: { items: string[]; children: (item: string, index: number) => ReactNode }) {
  return (
    <div className="flex flex-wrap justify-center gap-1.5 sm:gap-2">
      {items.map((item, index) => (
        <span key={item}>{children(item, index)}</span>
      ))}
    </div>
  );
}

const ITEM =
  "relative flex h-18 w-15 flex-col items-center justify-center gap-1 rounded-lg border " +
  "border-black/20 bg-[#fffdf7] text-[#26211a] shadow-sm sm:h-22 sm:w-18";

function Tile({
  item,
  label,
  hint,
  onClick,
}: {
  item: string;
  label: string;
  hint: string;
  onClick: (() => void) | undefined;
}) {
  return (
    <button
      type="button"
      disabled={!onClick}
      aria-keyshortcuts={hint || undefined}
      onClick={onClick}
      className={`${ITEM} ${onClick ? "playable" : "opacity-75"}`}
    >
      <Picture item={item} className="size-7 sm:size-9" />
      <span className="sr-only">{label}</span>
      <span aria-hidden className="text-xs font-semibold sm:text-sm">
        {item}
      </span>
      {hint && (
        <kbd aria-hidden className="absolute top-0.5 right-1 hidden font-mono text-[0.65rem] text-[#5d5344] sm:inline">
          {hint}
        </kbd>
      )}
    </button>
  );
}
