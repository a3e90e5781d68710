// How long the agent waits before it moves.
const PACES = [0, 0.25, 0.5, 1, 2, 3, 5, 10] as const;

const secondsText = (seconds: number) => (seconds === 0 ? "at once" : `${seconds} s`);

export function PaceSlider({
  seconds,
  onChange,
  tight = false,
}: {
  seconds: number;
  onChange: (seconds: number) => void;
  tight?: boolean;
}) {
  const index = Math.max(
    0,
    PACES.findIndex((pace) => pace >= seconds),
  );
  return (
    <label className={tight ? "flex items-center gap-2 text-sm" : "text-sm"}>
      <span className={tight ? "hidden whitespace-nowrap text-soft sm:inline" : "mb-1 block text-soft"}>
        {tight ? "Agent moves" : "The agent moves"}
        {tight ? "" : `: ${secondsText(seconds)}${seconds ? " a move" : ""}`}
      </span>
      <input
        type="range"
        className={tight ? "w-24" : "h-10 w-44"}
        min={0}
        max={PACES.length - 1}
        step={1}
        value={index}
        aria-label="Pace of the agent"
        aria-valuetext={secondsText(seconds)}
        onChange={(event) => onChange(PACES[Number(event.target.value)] ?? 1)}
      />
      {tight && <span className="w-14 font-mono text-xs">{secondsText(seconds)}</span>}
    </label>
  );
}
