// A strategy as a grid of items.
import { CardGridBrowser } from "../card-grid";
import { Item } from "./item";

export function Grid({ agents }: { agents: { id: string; name: string }[] }) {
  return (
    <CardGridBrowser
      agents={agents}
      draw={(items) => (
        <span className="inline-flex">
          {items.map((item) => (
            <Item key={item} item={item} small />
          ))}
        </span>
      )}
    />
  );
}
