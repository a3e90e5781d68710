// A game in normal form: the payoffs of both players as a table, a row for each action of one, a column for each of the other.
import type { TableState } from "../../api/client";
import { nearSeat, payoffText } from "../../format/table";
import { formatNumber } from "../../format/numbers";
import type { BoardProps, Drawing } from "../drawing";
import { nameOf, others, TableTop } from "../table-top";

const ROWS = 0;
const COLUMNS = 1;

export const normalForm: Drawing = {
  Board: PayoffTable,
  room: () => "h-24 sm:h-14",
  unit: "point",
  verdict,
  series: { games: 10, unit: "round" },
  howTo: (state) => ({
    goal: "Get as many points as you can. What you get depends on what both choose.",
    steps: [
      "Everybody chooses once, without knowing what the other chooses. You choose " +
        `${state.seat === COLUMNS ? "the column" : "the row"} of the table, the other ` +
        `${state.seat === COLUMNS ? "the row" : "the column"}.`,
      "In every cell are the points that both get then: yours are the large ones.",
      "Sometimes what one wins the other loses; sometimes both do well together, or badly.",
    ],
  }),
  tour: [
    { at: "middle", text: "What both get, for every combination of choices. Your points are the large ones." },
    { at: "moves", text: "Choose. The other chooses at the same time, without seeing what you do." },
  ],
};

/** "You chose Rock, Anna Paper." */
function verdict(state: TableState) {
  if (!state.result || state.result.outcome === "resigned") return undefined;
  const { actions } = tableOf(state);
  const chosen = [nearSeat(state), ...others(state)].map(
    (player) => `${nameOf(state, player)} chose ${actions[player]?.[chosenOf(state, player)] ?? "unseen"}`,
  );
  return { text: `${chosen.join(", ")}. ${payoffText(state, "point")}` };
}

function tableOf(state: TableState) {
  const display = state.view.kind === "generic" ? state.view.display : {};
  return {
    actions: nested<string>(display.actions),
    payoffs: nested<number>(display.payoffs),
    title: String(display.title ?? ""),
    meaning: String(display.meaning ?? ""),
  };
}

const nested = <T,>(value: unknown) => (Array.isArray(value) ? (value as T[][]) : []);

/** What a player has chosen, as far as it may be seen; -1 for nothing. */
function chosenOf(state: TableState, player: number): number {
  const view = player === state.seat ? state.view : state.sides[player];
  return view?.kind === "generic" ? Number(view.display.choice ?? 0) - 1 : -1;
}

function PayoffTable({ state }: BoardProps) {
  const { actions, title, meaning } = tableOf(state);
  const choice = (player: number) => actions[player]?.[chosenOf(state, player)];
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  return (
    <TableTop
      state={state}
      place={(player) => (
        <span className="h-7 rounded-full bg-black/25 px-3 py-0.5 text-sm">
          {choice(player) ? (
            <b>{choice(player)}</b>
          ) : player < Number(fields.chosen ?? 0) ? (
            "has chosen"
          ) : (
            `chooses the ${player === ROWS ? "row" : "column"}`
          )}
        </span>
      )}
      middle={
        <>
          <h2 className="font-serif text-xl">{title}</h2>
          <p className="max-w-[32rem] text-xs opacity-90 sm:text-sm">{meaning}</p>
          <Cells state={state} />
        </>
      }
    />
  );
}

const head = (mine: boolean, chosen: boolean) =>
  `p-1.5 text-sm ${mine ? "font-bold" : "font-normal opacity-90"} ${chosen ? "text-[#ffd66b]" : ""}`;

function Cells({ state }: { state: TableState }) {
  const { actions, payoffs } = tableOf(state);
  const near = nearSeat(state);
  const [rows = [], columns = []] = actions;
  const [row, column] = [chosenOf(state, ROWS), chosenOf(state, COLUMNS)];
  const many = columns.length > 3 || rows.length > 4;
  return (
    <table className={`border-separate border-spacing-1 ${many ? "text-sm" : ""}`}>
      <caption className="sr-only">
        The points of {nameOf(state, ROWS)} and {nameOf(state, COLUMNS)}
      </caption>
      <thead>
        <tr>
          <td>
            <span className="sr-only">rows and columns</span>
          </td>
          {columns.map((name, i) => (
            <th key={name} scope="col" className={head(near === COLUMNS, column === i)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((name, i) => (
          <tr key={name}>
            <th scope="row" className={`${head(near === ROWS, row === i)} text-right`}>
              {name}
            </th>
            {columns.map((other, j) => {
              const both = [
                payoffs[ROWS]?.[i * columns.length + j] ?? 0,
                payoffs[COLUMNS]?.[i * columns.length + j] ?? 0,
              ];
              const [mine, theirs] = [both[near] ?? 0, both[1 - near] ?? 0];
              const [inRow, inColumn] = [row === i, column === j];
              const look =
                inRow && inColumn ? "bg-[#ffd66b] text-[#3a2c00]" : inRow || inColumn ? "bg-white/30" : "bg-black/25";
              return (
                <td
                  key={other}
                  className={`rounded-lg px-[min(1.4rem,3cqw)] py-[min(0.8rem,1.6cqh)] whitespace-nowrap ${look}`}
                >
                  <span className="sr-only">
                    you {formatNumber(mine)}, {nameOf(state, 1 - near)} {formatNumber(theirs)}
                  </span>
                  <span
                    aria-hidden
                    className={`flex items-baseline justify-center gap-2 ${near === ROWS ? "" : "flex-row-reverse"}`}
                  >
                    <b className="font-serif text-[min(1.9rem,6cqw)]">{minus(mine)}</b>
                    <span className="font-serif text-[min(1.1rem,4cqw)] opacity-90">{minus(theirs)}</span>
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const minus = (x: number) => (x < 0 ? `−${formatNumber(-x)}` : formatNumber(x));
