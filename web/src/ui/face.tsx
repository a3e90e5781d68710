// A drawn face for an opponent: a few features, chosen by its name, so that the same name always has the same face.
const SKINS = ["#f6d7bd", "#ecbf9a", "#d69f76", "#b57a4f", "#8d5a38"];
const HAIRS = ["#2b2019", "#5b3a1e", "#8a5a2b", "#c9963f", "#a8432a", "#8f8f93"];
const CLOTHES = ["#1d6a52", "#305a88", "#a32f2a", "#7a4a86", "#b4762b", "#3a3155"];
const GROUNDS = ["#d9efe0", "#f0d9a8", "#d7e4f0", "#f2d3cc", "#e2d8ee"];

/** What lies behind the head, and what lies over it. */
const STYLES: { behind?: string; over: string }[] = [
  { over: "M14 27c-1-14 7-19 18-19s19 5 18 19c-2-7-6-10-9-11-6 3-18 3-22 2-3 2-4 5-5 9z" },
  { behind: "M13 26c0-24 38-24 38 0v25H13z", over: "M15 27c2-9 6-13 12-14 4 6 14 8 22 9 0-12-8-15-17-15s-18 5-17 20z" },
  { over: "M14 25c0-22 36-22 36 0-5-7-9-9-18-9s-13 2-18 9z" },
  {
    behind: "M25 8a7 7 0 1 1 14 0 7 7 0 0 1-14 0z",
    over: "M14 28c-2-16 8-20 18-20s20 4 18 20c-3-9-8-12-18-12s-15 3-18 12z",
  },
  {
    behind: "M12 30c-3-9 2-13 5-14 1-9 11-11 15-10 5-2 14 1 15 10 4 1 8 6 5 14 1 6-2 10-5 11H17c-3-1-6-5-5-11z",
    over: "M16 25c1-8 7-11 16-11s15 3 16 11c4-14-7-19-16-19S12 11 16 25z",
  },
  { over: "M15 24c1-13 8-16 17-16s16 3 17 16l-3-5H18z" },
];
const BROWS = ["M21 25h7M36 25h7", "M21 26l7-2M36 24l7 2", "M21 24l7 2M36 26l7-2", "M21 25q3-3 7 0M36 25q4-3 7 0"];
const MOUTHS = ["M26 43q6 5 12 0", "M26 43h12", "M26 44q7 2 12-3", "M26 42q6 7 12 0z"];
const BEARD = "M17 34c0 18 8 22 15 22s15-4 15-22c-3 6-6 5-9 4-4-2-8-2-12 0-3 1-6 2-9-4z";

/** Different numbers for different uses of a name. */
const hash = (name: string, use: number) =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, use * 7919 + 17) >>> 3;

const pick = <T,>(from: T[], name: string, use: number): T => from[hash(name, use) % from.length] as T;

/** The last of its words that is a first name: of "Careful Carla 2" Carla; nothing for who has only one, as Random. */
function firstName(name: string): string {
  const words = (name.split("(")[0] ?? "").split(" ").filter(Boolean);
  const last = words.findLast((word) => word.charAt(0) !== word.charAt(0).toLowerCase()) ?? "";
  return words.length > 1 ? last : "";
}

export function Face({ name, className = "size-7" }: { name: string; className?: string }) {
  const who = firstName(name);
  return (
    <svg aria-hidden viewBox="0 0 64 64" className={`flex-none rounded-full ${className}`}>
      <rect width="64" height="64" fill={pick(GROUNDS, who, 1)} />
      {who ? <Head who={who} /> : <Die />}
    </svg>
  );
}

function Head({ who }: { who: string }) {
  const [skin, hair, style] = [pick(SKINS, who, 2), pick(HAIRS, who, 3), pick(STYLES, who, 4)];
  const beard = "bdklmnort".includes(who.at(-1) ?? "?") && hash(who, 5) % 2 === 0; // of some whose name sounds like it
  return (
    <>
      {style.behind && <path d={style.behind} fill={hair} />}
      <path d="M8 66c0-14 12-17 24-17s24 3 24 17z" fill={pick(CLOTHES, who, 6)} />
      <path d="M27 44h10v9q-5 4-10 0z" fill={skin} />
      <ellipse cx="32" cy="31" rx="15.5" ry="18.5" fill={skin} />
      {beard && <path d={BEARD} fill={hair} />}
      <path d={style.over} fill={hair} />
      <g fill="#26211a">
        <circle cx="25" cy="31" r="2" />
        <circle cx="39" cy="31" r="2" />
      </g>
      <g fill="none" stroke="#26211a" strokeWidth="1.8" strokeLinecap="round">
        <path d={pick(BROWS, who, 7)} />
        <path d="M32 32l-1.5 6h3" strokeWidth="1.3" opacity="0.6" />
        <path d={pick(MOUTHS, who, 8)} />
        {hash(who, 9) % 3 === 0 && (
          <path d="M19.5 31a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M33.5 31a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M30.5 30h3" />
        )}
      </g>
    </>
  );
}

/** Whoever has no name of a person has the face of a die. */
const Die = () => (
  <g fill="#26211a">
    <rect x="14" y="14" width="36" height="36" rx="8" fill="#fffdf7" stroke="#0004" />
    <circle cx="24" cy="25" r="4" />
    <circle cx="40" cy="25" r="4" />
    <path d="M23 39q9 6 18 0" fill="none" stroke="#26211a" strokeWidth="3" strokeLinecap="round" />
  </g>
);
