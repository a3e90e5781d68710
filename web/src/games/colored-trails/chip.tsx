// The five colours: each has a name, a paint, and a shape, so that they are told apart without colour too.
import { plural } from "../../format/numbers";

type Colour = { name: string; paint: string; ink: string; shape: string };

const COLOURS: Record<string, Colour> = {
  R: { name: "red", paint: "#c8473d", ink: "#fff4f0", shape: "M5 1.6 A3.4 3.4 0 1 1 4.99 1.6 Z" },
  Y: {
    name: "yellow",
    paint: "#e8bf3f",
    ink: "#3d2f00",
    shape: "M5 1 L6.1 3.9 L9 4 L6.7 5.9 L7.5 8.8 L5 7.1 L2.5 8.8 L3.3 5.9 L1 4 L3.9 3.9 Z",
  },
  G: { name: "green", paint: "#3f9a5c", ink: "#f0fff5", shape: "M5 1.4 L8.8 8.2 L1.2 8.2 Z" },
  B: { name: "blue", paint: "#3f74bd", ink: "#f0f6ff", shape: "M2 2 H8 V8 H2 Z" },
  P: { name: "purple", paint: "#8a57ad", ink: "#fbf3ff", shape: "M5 0.9 L9.1 5 L5 9.1 L0.9 5 Z" },
};
export const LETTERS = Object.keys(COLOURS);
const UNKNOWN: Colour = { name: "no colour", paint: "#777", ink: "#fff", shape: "" };

export const colourOf = (letter: string): Colour => COLOURS[letter] ?? UNKNOWN;

export const Shape = ({ letter, className = "" }: { letter: string; className?: string }) => (
  <svg aria-hidden viewBox="0 0 10 10" className={className} style={{ fill: colourOf(letter).ink }}>
    <path d={colourOf(letter).shape} />
  </svg>
);

/** One chip. */
export const Chip = ({ letter, className = "size-6" }: { letter: string; className?: string }) => (
  <span
    aria-hidden
    className={`inline-grid shrink-0 place-items-center rounded-full border-2 border-black/35 shadow ${className}`}
    style={{ backgroundColor: colourOf(letter).paint }}
  >
    <Shape letter={letter} className="size-[70%]" />
  </span>
);

/** "2 red, 1 blue", "no chips". */
export function counted(letters: string[]): string {
  const parts = LETTERS.flatMap((letter) => {
    const count = letters.filter((one) => one === letter).length;
    return count ? [`${count} ${colourOf(letter).name}`] : [];
  });
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "no chips");
}

/** Some chips in a row, told in words too. */
export function Chips({ letters, className }: { letters: string[]; className?: string }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-0.5">
      <span className="sr-only">
        {letters.length ? `${plural(letters.length, "chip")}: ${counted(letters)}` : "no chips"}
      </span>
      {letters.map((letter, i) => (
        <Chip key={i} letter={letter} className={className ?? "size-6"} />
      ))}
    </span>
  );
}
