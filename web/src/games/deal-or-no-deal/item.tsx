// The items, each with a shape and a colour of its own, on paper whatever the theme.
import type { ReactNode } from "react";

const PAPER = "#fffdf7";

const PICTURES: Record<string, { colour: string; drawn: ReactNode }> = {
  book: {
    colour: "#23538f",
    drawn: (
      <>
        <path d="M5 4.5A2.5 2.5 0 0 1 7.5 2H20v20H7.5A2.5 2.5 0 0 1 5 19.5z" />
        <path d="M7.2 18.2H18v2H7.2a1 1 0 0 1 0-2z" fill={PAPER} />
        <path d="M9 6.5h7M9 9.5h7" stroke={PAPER} strokeWidth="1.5" />
      </>
    ),
  },
  hat: {
    colour: "#6a2f86",
    drawn: (
      <>
        <path d="M6.5 4c3.5-1 7.5-1 11 0l-.9 12.5H7.4z" />
        <path d="M1.5 17.5c6 3.6 15 3.6 21 0-.6 2.4-4.6 4-10.5 4S2.1 19.9 1.5 17.5z" />
        <path d="M7 12.8c3 .9 7 .9 10 0" fill="none" stroke={PAPER} strokeWidth="2" />
      </>
    ),
  },
  basketball: {
    colour: "#a8480c",
    drawn: (
      <>
        <circle cx="12" cy="12" r="10" />
        <path
          d="M12 2v20M2 12h20M5 5c4.5 4 4.5 10 0 14M19 5c-4.5 4-4.5 10 0 14"
          fill="none"
          stroke={PAPER}
          strokeWidth="1.3"
        />
      </>
    ),
  },
};

/** The picture of an item, or its first letter. */
export function Picture({ item, className = "" }: { item: string; className?: string }) {
  const { colour, drawn } = PICTURES[item] ?? { colour: "#444", drawn: undefined };
  return (
    <svg aria-hidden viewBox="0 0 24 24" className={className} fill="currentColor" style={{ color: colour }}>
      {drawn ?? (
        <text x="12" y="18" textAnchor="middle" fontSize="16">
          {item.charAt(0).toUpperCase()}
        </text>
      )}
    </svg>
  );
}

/** On a small piece of paper. */
export const Tile = ({ item, className = "size-6" }: { item: string; className?: string }) => (
  <span
    className={`inline-grid shrink-0 place-items-center rounded-md bg-[#fffdf7] shadow-sm ring-1 ring-black/20 ${className}`}
  >
    <Picture item={item} className="size-[76%]" />
  </span>
);

/** Some items in a row, for who sees them; words stand beside them. */
export function Pieces({ items, counts }: { items: string[]; counts: number[] }) {
  return (
    <span aria-hidden className="inline-flex flex-wrap gap-0.5">
      {items.flatMap((item, type) =>
        Array.from({ length: counts[type] ?? 0 }, (_, i) => (
          <Tile key={`${item} ${i}`} item={item} className="size-5.5 sm:size-6" />
        )),
      )}
    </span>
  );
}
