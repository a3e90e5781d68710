// A slider between pairs of payoffs: what oneself gets stands above its positions, what the other gets below.
import type { ReactNode } from "react";

const STOP =
  "relative grid place-items-center before:absolute before:inset-x-0 before:h-0.5 " +
  "before:bg-soft/60 first:before:left-1/2 last:before:right-1/2";

/** Until a position is chosen there is none: the first key, click or drag chooses. */
export function Slider({
  pairs,
  label,
  position,
  set,
  flaw,
}: {
  pairs: [number, number][];
  label: string;
  position: number | undefined;
  set: (position: number) => void;
  flaw: Record<string, unknown>;
}) {
  const middle = (pairs.length - 1) / 2;
  const chosen = position === undefined ? undefined : pairs[position];
  const at = position ?? Math.round(middle);
  const choose = () => position === undefined && set(at);
  return (
    <div>
      <Amounts side="You get" pairs={pairs} which={0} position={position} />
      <div className="relative h-11" style={{ paddingInline: `calc(100% / ${2 * pairs.length} - 0.875rem)` }}>
        <div
          aria-hidden
          className="absolute inset-y-0 left-0 grid w-full items-center"
          style={{ gridTemplateColumns: `repeat(${pairs.length}, minmax(0, 1fr))` }}
        >
          {pairs.map((_, index) => (
            <span key={index} className={STOP}>
              <span className="relative size-2.5 rounded-full border-2 border-soft bg-panel" />
            </span>
          ))}
        </div>
        <input
          type="range"
          aria-label={label}
          aria-valuetext={chosen ? `You get ${chosen[0]}, the other person gets ${chosen[1]}` : "Nothing chosen yet"}
          data-unset={position === undefined ? "" : undefined}
          className="slider relative h-full w-full"
          min={0}
          max={pairs.length - 1}
          step={1}
          value={at}
          onChange={(event) => set(Number(event.target.value))}
          onClick={choose}
          onKeyDown={(event) =>
            (event.key === " " || event.key === "Enter") && position === undefined && (event.preventDefault(), choose())
          }
          {...flaw}
        />
      </div>
      <Amounts side="The other gets" pairs={pairs} which={1} position={position} />
      <p className="mt-3 flex min-h-7 flex-wrap justify-center gap-x-6 gap-y-1 text-center" data-testid="amounts">
        {chosen ? (
          <>
            <Amount who="You">{chosen[0]}</Amount>
            <Amount who="The other person">{chosen[1]}</Amount>
          </>
        ) : (
          <span className="text-sm text-soft">Choose a position on the line.</span>
        )}
      </p>
    </div>
  );
}

const Amount = ({ who, children }: { who: string; children: ReactNode }) => (
  <span>
    {who}: <b className="text-lg">{children}</b>
  </span>
);

/** The slider itself says the pair that is chosen. */
function Amounts({
  side,
  pairs,
  which,
  position,
}: {
  side: string;
  pairs: [number, number][];
  which: 0 | 1;
  position: number | undefined;
}) {
  return (
    <div aria-hidden>
      {which === 0 && <span className="block text-xs text-soft">{side}</span>}
      <span
        className="grid text-center font-mono text-sm"
        style={{ gridTemplateColumns: `repeat(${pairs.length}, minmax(0, 1fr))` }}
      >
        {pairs.map((pair, index) => (
          <span key={index} className={index === position ? "rounded bg-accent font-bold text-accent-ink" : ""}>
            {pair[which]}
          </span>
        ))}
      </span>
      {which === 1 && <span className="block text-xs text-soft">{side}</span>}
    </div>
  );
}
