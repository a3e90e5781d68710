// The items, each with a picture and a colour of its own, on paper whatever the theme.
import type { ReactNode } from "react";

const LINE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.8,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

const PICTURES: Record<string, { hue: number; drawn: ReactNode }> = {
  apple: {
    hue: 0,
    drawn: (
      <>
        <path d="M12 8c-3-3-8-1-8 4 0 5 4 9 6 9 1 0 1-.6 2-.6s1 .6 2 .6c2 0 6-4 6-9 0-5-5-7-8-4z" />
        <path d="M12 8c0-3 1-5 3-6" {...LINE} />
      </>
    ),
  },
  bell: {
    hue: 42,
    drawn: (
      <>
        <path d="M12 3c-4 0-6 3-6 7v5l-2 3h16l-2-3v-5c0-4-2-7-6-7z" />
        <circle cx="12" cy="20.4" r="1.8" />
      </>
    ),
  },
  candle: {
    hue: 24,
    drawn: (
      <>
        <path d="M9 11h6v10H9z" />
        <path d="M12 2c2.6 3 2.6 5 0 7-2.6-2-2.6-4 0-7z" opacity=".65" />
      </>
    ),
  },
  drum: {
    hue: 345,
    drawn: (
      <>
        <path d="M4 9v7c0 1.7 3.6 3 8 3s8-1.3 8-3V9" />
        <ellipse cx="12" cy="8.5" rx="8" ry="3" fill="#fffdf7" stroke="currentColor" strokeWidth="1.5" />
        <path d="M5 2l6 6M20 2l-6 6" {...LINE} />
      </>
    ),
  },
  egg: { hue: 75, drawn: <path d="M12 3c4 0 7 6 7 11a7 7 0 0 1-14 0c0-5 3-11 7-11z" /> },
  fish: {
    hue: 205,
    drawn: (
      <>
        <path d="M2 12c3-6 11-7 15-1l5-4v10l-5-4c-4 6-12 5-15-1z" />
        <circle cx="7" cy="11" r="1.2" fill="#fffdf7" />
      </>
    ),
  },
  gem: {
    hue: 180,
    drawn: (
      <>
        <path d="M6 4h12l4 6-10 11L2 10z" />
        <path d="M2 10h20M9 4l-1 6 4 11 4-11-1-6" fill="none" stroke="#fffdf7" strokeWidth="1" />
      </>
    ),
  },
  hat: {
    hue: 265,
    drawn: (
      <>
        <path d="M7 4h10v12H7z" />
        <path d="M2 16h20v3H2z" />
        <path d="M7 12.5h10" stroke="#fffdf7" strokeWidth="1.5" />
      </>
    ),
  },
  ink: {
    hue: 228,
    drawn: (
      <>
        <path d="M9 3h6v4h-1v2l5 4v8H5v-8l5-4V7H9z" />
        <path d="M8 15h8" stroke="#fffdf7" strokeWidth="1.5" />
      </>
    ),
  },
  jug: {
    hue: 150,
    drawn: (
      <>
        <path d="M8 3h7l-1 5c3 2 4 4 4 7 0 4-3 6-6.5 6S5 19 5 15c0-3 1-5 4-7z" />
        <path d="M15.5 8c4.5-1 5.5 5 1.5 7" {...LINE} />
      </>
    ),
  },
};

/** The picture of an item, or its first letter. */
export function Picture({ item, className = "" }: { item: string; className?: string }) {
  const { hue, drawn } = PICTURES[item] ?? { hue: 0, drawn: undefined };
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className={className}
      fill="currentColor"
      style={{ color: `hsl(${hue} 62% 36%)` }}
    >
      {drawn ?? (
        <text x="12" y="18" textAnchor="middle" fontSize="16">
          {item.charAt(0).toUpperCase()}
        </text>
      )}
    </svg>
  );
}

/** An item on a small card; without one, the back of it. */
export function Item({ item, zone, small = false }: { item?: string | undefined; zone?: string; small?: boolean }) {
  const size = small ? "w-[calc(var(--card)*0.6)]!" : "";
  if (!item)
    return (
      <span role="img" aria-label="an item you do not see" data-zone={zone} className={`card card-back ${size}`} />
    );
  return (
    <span data-zone={zone} className={`card ${size} items-center justify-center gap-[4%] p-1`}>
      <Picture item={item} className="min-h-0 w-[68%]" />
      <span
        className={`font-serif leading-none font-bold ${small ? "text-[calc(var(--card)*0.16)]" : "text-[calc(var(--card)*0.2)]"}`}
      >
        {item}
      </span>
    </span>
  );
}
