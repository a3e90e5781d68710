// Short tones that help to follow: somebody moved, it is your turn, it is over. Silent until the first click or key.
import { useEffect, useRef } from "react";
import type { TableState } from "../api/client";
import { usePreferences } from "../store/preferences";

let context: AudioContext | undefined;

function wake(): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}
window.addEventListener("pointerdown", wake, { once: true });
window.addEventListener("keydown", wake, { once: true });

type Note = { pitch: number; at: number; long: number };
const MOVED: Note[] = [{ pitch: 330, at: 0, long: 0.06 }];
const YOURS: Note[] = [
  { pitch: 523, at: 0, long: 0.12 },
  { pitch: 784, at: 0.1, long: 0.2 },
];
const BEGINS: Note[] = [659, 784, 988, 784, 988].map((pitch, i) => ({ pitch, at: i * 0.18, long: 0.3 }));
const WON: Note[] = [523, 659, 784, 1047].map((pitch, i) => ({ pitch, at: i * 0.12, long: 0.25 }));
const LOST: Note[] = [392, 330, 262].map((pitch, i) => ({ pitch, at: i * 0.15, long: 0.3 }));

function playNotes(notes: Note[], loud = 0.05): void {
  if (!context || context.state !== "running") return;
  for (const { pitch, at, long } of notes) {
    const start = context.currentTime + at;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(loud, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + long);
  }
}

/** The tones of a table, as it goes on under one's eyes. */
export function useSounds(state: TableState | undefined): void {
  const { muted } = usePreferences();
  const before = useRef<{ ply: number; turn: string }>(undefined);
  const ply = state?.ply;
  const turn = state?.turn;
  const outcome = state?.result?.outcome;
  useEffect(() => {
    if (ply === undefined || turn === undefined) return;
    const old = before.current;
    before.current = { ply, turn };
    if (muted || !old || old.ply === ply) return;
    if (turn === "over") playNotes(outcome === undefined ? MOVED : outcome === "won" ? WON : LOST);
    else if (turn === "you") playNotes(YOURS);
    else playNotes(MOVED, 0.03);
  }, [ply, turn, outcome, muted]);
}

/** Something one has waited for begins. */
export const playStartSound = (): void => playNotes(BEGINS, 0.08);
