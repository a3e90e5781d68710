// Whether there are tones.
import { setPreferences, usePreferences } from "../store/preferences";
import { Button } from "../ui/basic";

export function Mute() {
  const { muted } = usePreferences();
  return (
    <Button
      look="quiet"
      className="px-2!"
      aria-pressed={muted}
      aria-label={muted ? "Sound is off" : "Sound is on"}
      title={muted ? "Sound is off" : "Sound is on"}
      onClick={() => setPreferences({ muted: !muted })}
    >
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        className="size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M4 9v6h4l5 4V5L8 9z" fill="currentColor" />
        <path d={muted ? "m17 9 5 6m0-6-5 6" : "M17 9a4 4 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11"} />
      </svg>
    </Button>
  );
}
