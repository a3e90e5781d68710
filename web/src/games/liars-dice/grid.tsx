// A strategy as a grid of dice.
import { CardGridBrowser } from "../card-grid";
import { Die } from ".";

export function Grid({ agents }: { agents: { id: string; name: string }[] }) {
  return (
    <CardGridBrowser
      agents={agents}
      draw={(dice) => (
        <span className="inline-flex gap-1">
          {dice.map((face, index) => (
            <Die key={`${index}`} face={face} small />
          ))}
        </span>
      )}
    />
  );
}
