// What was done to the study, and which study it is.
import { Panel } from "../ui/basic";
import { capitalized } from "../format/numbers";
import type { Overview } from "./overview";

const time = (at: string) => new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

export function Log({ study }: { study: Overview }) {
  return (
    <Panel title="Log">
      <ul className="space-y-1 text-sm">
        {study.events.toReversed().map((event, index) => (
          <li key={`${event.at} ${index}`} className="flex flex-wrap gap-x-3">
            <time dateTime={event.at} className="text-soft">
              {time(event.at)}
            </time>
            {capitalized(event.what)}
          </li>
        ))}
        {study.began && (
          <li className="flex flex-wrap gap-x-3">
            <time dateTime={study.began} className="text-soft">
              {time(study.began)}
            </time>
            The first participant came
          </li>
        )}
      </ul>
      <p className="mt-3 text-xs break-all text-soft">
        Parlor {study.version}, {study.database === "sqlite" ? "SQLite" : "PostgreSQL"}; study file{" "}
        {study.hash.slice(0, 16)}
      </p>
    </Panel>
  );
}
