// A small sign for each game; a game nobody drew gets its first letter.
const SIGNS: Record<string, { text: string; hue: number }> = {
  kuhn: { text: "K", hue: 10 },
  leduc: { text: "Q♥", hue: 350 },
  "liars-dice": { text: "⚄", hue: 210 },
  goofspiel: { text: "♦", hue: 280 },
  holdem: { text: "A♠", hue: 220 },
  "monopoly-deal": { text: "$", hue: 145 },
};

export function Glyph({ game }: { game: string }) {
  const sign = SIGNS[game] ?? { text: game.charAt(0).toUpperCase(), hue: [...game].reduce((sum, c) => sum + 37 * c.charCodeAt(0), 0) % 360 };
  return (
    <span
      aria-hidden
      className="grid h-12 w-9 place-items-center rounded-md border border-black/15 bg-[#fffdf7] font-serif text-lg font-bold shadow-sm"
      style={{ color: `hsl(${sign.hue} 60% 35%)` }}
    >
      {sign.text}
    </span>
  );
}
