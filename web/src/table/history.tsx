// What has happened, in words; outcomes of chance that follow each other are one line.
import { useEffect, useRef } from "react";
import type { TableEvent } from "../api/client";
import { eventText, outcomesOf } from "../games";
import { groupEvents } from "../games/drawing";
import { capitalized } from "../format/numbers";
import { actorName, moveNumber } from "../format/table";

type Line = { ply: number; number: number; last: number; by: TableEvent["by"]; name: string; text: string };

function lines(history: TableEvent[], game: string, seat: number | null, names: string[]): Line[] {
  return groupEvents(history, (event) => (event.by === "chance" ? "" : String(event.ply))).map((events) => {
    const [event] = events;
    const text = event.by === "chance" ? capitalized(outcomesOf(game, events, seat)) : eventText(game, event);
    return {
      ply: event.ply,
      number: moveNumber(history, event.ply),
      last: events.at(-1)?.ply ?? event.ply,
      by: event.by,
      name: actorName(event, names),
      text,
    };
  });
}

export function History({
  history,
  game,
  seat,
  names,
  current,
  onPick,
}: {
  history: TableEvent[];
  game: string;
  seat: number | null;
  names: string[];
  current?: number;
  onPick?: (ply: number) => void;
}) {
  const end = useRef<HTMLLIElement>(null);
  const box = useRef<HTMLOListElement>(null);
  const all = lines(history, game, seat, names);
  const here = current === undefined ? all.length - 1 : all.findIndex((line) => current <= line.last);
  useEffect(() => {
    const list = box.current;
    const line = end.current;
    const panel = list?.closest("section");
    if (onPick || !panel) {
      if (list && line) list.scrollTop = line.offsetTop - list.clientHeight / 2;
      return;
    }
    // at the table its panel scrolls, and becomes smaller when the mind above it has more to say
    const resized = new ResizeObserver(() => {
      panel.scrollTop = panel.scrollHeight;
    });
    resized.observe(panel);
    return () => resized.disconnect();
  }, [here, history.length, onPick]);
  if (all.length === 0) return <p className="text-sm text-soft">Nothing has happened yet.</p>;
  return (
    <ol
      ref={box}
      aria-label="History"
      className={`relative space-y-0.5 text-sm ${onPick ? "max-h-96 overflow-y-auto" : ""}`}
    >
      {all.map((line, index) => {
        const inside = (
          <>
            <span className="w-9 shrink-0 text-right font-mono text-xs text-soft">
              {line.by === "chance" ? "" : line.number}
            </span>
            <span className={line.by === "chance" ? "text-soft italic" : ""}>
              {line.name && <b className={line.by === "you" ? "text-accent" : "text-warn"}>{line.name}: </b>}
              {line.text}
            </span>
          </>
        );
        const look = `flex w-full items-baseline gap-2 rounded px-1 py-1 text-left ${index === here ? "bg-raised" : ""}`;
        return (
          <li key={line.ply} ref={index === here ? end : undefined} className="arrive">
            {onPick ? (
              <button
                type="button"
                className={`${look} hover:bg-raised`}
                aria-current={index === here ? "step" : undefined}
                onClick={() => onPick(line.ply)}
              >
                {inside}
              </button>
            ) : (
              <div className={look}>{inside}</div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
