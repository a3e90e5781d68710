// The cards of Monopoly Deal as they look. Their values and effects come from the API.
import type { Shapes } from "../../api/client";
import { capitalized } from "../../format/numbers";

export type MonopolyDealView = Shapes["MonopolyDealView"];
export type Deck = Pick<MonopolyDealView, "set_sizes" | "rents" | "values" | "cards">;

const COLOURS: Record<string, string> = { brown: "#8a5a3b", green: "#1f7a44", pink: "#b93f7c" };

export function hue(name: string): string {
  const known = COLOURS[name];
  if (known) return known;
  return `hsl(${[...name].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 360, 7)} 45% 42%)`;
}

const NOTES: Record<string, string> = { $1: "#f3e7c4", $3: "#cfe6cf" };

/** The face of a card; its size is --card. `owned` marks the line of the rent ladder that holds now. */
export function Face({ name, deck, owned = 0 }: { name: string; deck: Deck; owned?: number }) {
  const { kind, colour } = deck.cards[name] ?? { kind: "action" };
  if (kind === "property") return <Property name={name} deck={deck} owned={owned} />;
  if (kind === "cash") return <Money name={name} />;
  if (kind === "rent") return <Rent colour={colour ?? ""} value={deck.values[name]} />;
  return <Action name={name} value={deck.values[name]} />;
}

const WORTH =
  "absolute top-1 left-1 grid size-[1.5em] place-items-center rounded-full border border-black/40 " +
  "bg-white/95 text-[0.62em] leading-none font-bold text-black";

function Value({ value }: { value: number | undefined }) {
  if (!value) return null;
  return <span className={WORTH}>${value}</span>;
}

function Property({ name, deck, owned }: { name: string; deck: Deck; owned: number }) {
  const rents = deck.rents[name] ?? [];
  return (
    <>
      <span
        className="flex h-[24%] shrink-0 items-center justify-center pl-[0.8em] text-[0.72em] font-bold tracking-wide text-white uppercase"
        style={{ background: hue(name) }}
      >
        {name}
      </span>
      <Value value={deck.values[name]} />
      <span className="flex grow flex-col justify-center gap-[0.1em] px-[0.5em] text-[0.68em] leading-tight">
        <span className="text-[0.85em] tracking-wider uppercase opacity-85">rent</span>
        {rents.map((rent, index) => (
          <span
            key={index}
            className={`flex justify-between rounded px-[0.3em] ${index + 1 === owned ? "bg-black/10 font-bold" : ""}`}
          >
            <span aria-hidden className="tracking-[-0.1em]">
              {"▮".repeat(index + 1)}
            </span>
            <span>${rent}</span>
          </span>
        ))}
      </span>
    </>
  );
}

const COIN =
  "grid size-[2.3em] place-items-center rounded-full border-2 border-black/50 " +
  "bg-white/60 font-serif text-[1.15em] font-bold";

function Money({ name }: { name: string }) {
  return (
    <span className="flex grow flex-col p-[0.3em]" style={{ background: NOTES[name] ?? "#dbe7f0" }}>
      <span className="flex grow flex-col items-center justify-center rounded-[0.3em] border border-black/30">
        <span className={COIN}>{name}</span>
        <span className="mt-[0.35em] text-[0.6em] tracking-widest uppercase">cash</span>
      </span>
    </span>
  );
}

function Rent({ colour, value }: { colour: string; value: number | undefined }) {
  return (
    <span className="flex grow flex-col items-center justify-center gap-[0.4em] bg-[#fbf6ea]">
      <Value value={value} />
      <span
        className="grid size-[3.5em] place-items-center rounded-full border-[0.5em] bg-white"
        style={{ borderColor: hue(colour) }}
      >
        <span className="text-[0.72em] font-extrabold tracking-wide">RENT</span>
      </span>
      <span className="text-[0.72em] font-semibold" style={{ color: hue(colour) }}>
        {capitalized(colour)}
      </span>
    </span>
  );
}

const ACTIONS: Record<string, { sign: string; tint: string }> = {
  "Just Say No": { sign: "NO!", tint: "#2c5f9e" },
  "Debt Collector": { sign: "$!", tint: "#8c4a1b" },
  "Sly Deal": { sign: "⇆", tint: "#5b3d91" },
};

function Action({ name, value }: { name: string; value: number | undefined }) {
  const { sign, tint } = ACTIONS[name] ?? { sign: "★", tint: hue(name) };
  return (
    <span
      className="flex grow flex-col items-center justify-center gap-[0.45em] px-1"
      style={{ background: `color-mix(in srgb, ${tint} 14%, white)` }}
    >
      <Value value={value} />
      <span className="grid size-[3em] place-items-center rounded-full text-white" style={{ background: tint }}>
        <span className="text-[1em] font-extrabold">{sign}</span>
      </span>
      <span className="text-[0.72em] leading-tight font-semibold">{name}</span>
    </span>
  );
}
