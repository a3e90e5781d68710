// Tournaments that run: who plays with whom, and for how long. Nothing of the games themselves.
import { Panel } from "../ui/basic";
import type { Overview } from "./overview";
import { formatDuration, secondsBetween } from "./time";

const SHOWN = 30;

export function Tournaments({ study }: { study: Overview }) {
  if (study.groups.length === 0) return null;
  const shown = study.groups.slice(0, SHOWN);
  return (
    <Panel title={`Tournaments that run: ${study.groups.length}`}>
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {shown.map((group) => (
          <li key={group.group} className="rounded-lg border border-line p-3 text-sm">
            <p className="flex flex-wrap justify-between gap-x-2">
              <b>{group.group}</b>
              <span className="text-soft">
                {group.condition}, game {group.round} of {group.of},{" "}
                {formatDuration(secondsBetween(group.since, study.now))}
              </span>
            </p>
            {group.episodes.length === 0 && <p className="text-soft">Between games: {group.participants.join(", ")}</p>}
            <ul className="mt-1">
              {group.episodes.map((episode) => (
                <li key={episode.episode} className="flex flex-wrap justify-between gap-x-2">
                  <span>{episode.players.join(" – ")}</span>
                  <span className="font-mono text-xs text-soft">
                    {episode.deadline &&
                      `${formatDuration(secondsBetween(study.now, episode.deadline) * study.speed)} left`}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {study.groups.length > SHOWN && <p className="mt-3 text-sm text-soft">And {study.groups.length - SHOWN} more.</p>}
    </Panel>
  );
}
