// A small sign for each game.
import { signOf } from ".";

const GLYPH =
  "grid h-12 w-9 shrink-0 place-items-center rounded-md border border-black/15 " +
  "bg-[#fffdf7] font-serif text-lg font-bold shadow-sm";

export function GameIcon({ game }: { game: string }) {
  const { text, hue } = signOf(game);
  return (
    <span aria-hidden className={GLYPH} style={{ color: `hsl(${hue} 60% 35%)` }}>
      {text}
    </span>
  );
}
