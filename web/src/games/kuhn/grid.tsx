// A strategy as a grid of cards.
import { CardGridBrowser } from "../card-grid";
import { PlayingCard } from "../table-top";

export function Grid({ agents }: { agents: { id: string; name: string }[] }) {
  return (
    <CardGridBrowser
      agents={agents}
      draw={(cards) => (
        <span className="inline-flex">
          {cards.map((card) => (
            <PlayingCard key={card} text={card} small />
          ))}
        </span>
      )}
    />
  );
}
