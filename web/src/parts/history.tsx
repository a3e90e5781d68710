// What has happened, in words; draws that belong together in one line.
import { useEffect, useRef } from "react";
import type { Event } from "../api/client";
import { inWords } from "../games/names";
import { first, personal, who } from "../words";

type Line = { ply: number; last: number; by: Event["by"]; name: string; text: string };

export function lines(history: Event[], game: string, seat: number, players: number): Line[] {
  const made: Line[] = [];
  for (const event of history) {
    const text = inWords(personal(event.text, seat, players), game);
    const before = made.at(-1);
    if (event.by === "chance" && before?.by === "chance") {
      before.text = shortened(before.text, text);
      before.last = event.ply;
    } else {
      made.push({ ply: event.ply, last: event.ply, by: event.by, name: who(event, players), text });
    }
  }
  return made;
}

/** "you draw $1" and "you draw green": "you draw $1, green"; what is said again is counted. */
function shortened(before: string, next: string): string {
  const parts = before.split("; ");
  const last = parts.pop() ?? "";
  const [, base = last, count] = /^(.*) ×(\d+)$/.exec(last) ?? [];
  if (base === next) return [...parts, `${next} ×${Number(count ?? 1) + 1}`].join("; ");
  const verb = /^(you|the agent|player \d+) \w+ /.exec(next)?.[0];
  if (verb && last.startsWith(verb) && !count) return [...parts, `${last}, ${next.slice(verb.length)}`].join("; ");
  return `${before}; ${next}`;
}

export function History({
  history,
  game,
  seat,
  players,
  current,
  onPick,
}: {
  history: Event[];
  game: string;
  seat: number;
  players: number;
  current?: number;
  onPick?: (ply: number) => void;
}) {
  const end = useRef<HTMLLIElement>(null);
  const box = useRef<HTMLOListElement>(null);
  const all = lines(history, game, seat, players);
  const here = current === undefined ? all.length - 1 : all.findIndex((line) => current <= line.last);
  useEffect(() => {
    const list = box.current;
    const line = end.current;
    if (list && line) list.scrollTop = line.offsetTop - list.clientHeight / 2;
  }, [here, history.length]);
  if (all.length === 0) return <p className="text-sm text-soft">Nothing has happened yet.</p>;
  return (
    <ol ref={box} aria-label="History" className="relative max-h-96 space-y-0.5 overflow-y-auto text-sm">
      {all.map((line, index) => {
        const inside = (
          <>
            <span className="w-9 shrink-0 text-right font-mono text-xs text-soft">{line.ply}</span>
            <span className={line.by === "chance" ? "text-soft italic" : ""}>
              {line.name && <b className={line.by === "you" ? "text-accent" : "text-warn"}>{line.name}: </b>}
              {line.name ? line.text.replace(/^(button|small blind|big blind) /, "") : first(line.text)}
            </span>
          </>
        );
        const look = `flex w-full items-baseline gap-2 rounded px-1 py-1 text-left ${index === here ? "bg-raised" : ""}`;
        return (
          <li key={line.ply} ref={index === here ? end : undefined} className="arrive">
            {onPick ? (
              <button type="button" className={`${look} hover:bg-raised`} aria-current={index === here ? "step" : undefined} onClick={() => onPick(line.ply)}>
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
