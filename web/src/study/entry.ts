// Who takes part: the id that the link has, and the token that the server gave for it. This browser keeps both.
import { api, ask } from "../api/client";

export type StoredEntry = { participant: string; signature: string; token: string };

const PLACE = "parlor.study";

export function read<T>(name: string, from: "localStorage" | "sessionStorage" = "localStorage"): T | undefined {
  try {
    return (JSON.parse(window[from].getItem(PLACE + name) ?? "null") as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(PLACE + name, JSON.stringify(value));
  } catch {
    // a browser without storage: the link leads back to the same place
  }
}

/** Whoever was here last, or has come to the end in this window; of a link with an id, only that participant. */
export function storedEntry(participant: string): StoredEntry | undefined {
  const kept = read<StoredEntry>("") ?? read<StoredEntry>("", "sessionStorage");
  return kept?.token && (!participant || kept.participant === participant) ? kept : undefined;
}

/** Platforms write the names of their parameters in capitals: PROLIFIC_PID, STUDY_ID. */
const isCapitals = (name: string) => [...name].every((letter) => letter === "_" || (letter >= "A" && letter <= "Z"));

const entering = new Map<string, Promise<{ token: string }>>();

/** Come in, or back: the token of every other window stops working then. */
export async function enter(participant: string, signature: string): Promise<StoredEntry> {
  const link = [...new URLSearchParams(window.location.search)];
  const parameters = Object.fromEntries(
    link.filter(([name]) => name && name.length <= 40 && isCapitals(name)).slice(0, 20),
  );
  const body = { participant, signature, parameters };
  const going = entering.get(participant) ?? ask(api.POST("/api/study/enter", { body }));
  entering.set(participant, going); // once, whoever asks
  try {
    const { token } = await going;
    const kept = { participant, signature, token };
    if (read<StoredEntry>("")?.participant !== participant) clearDrafts();
    store("", kept);
    return kept;
  } finally {
    entering.delete(participant);
  }
}

/** What a participant has written here and read; drafts are of no use when the answers were given. */
export function clearDrafts(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(`${PLACE}.`)) localStorage.removeItem(name);
  } catch {
    // nothing is stored
  }
}

/** At the end: only this window knows any more who it was, since the computer may be a laboratory's. */
export function leave(): void {
  clearDrafts();
  try {
    const kept = localStorage.getItem(PLACE);
    if (kept) sessionStorage.setItem(PLACE, kept);
    localStorage.removeItem(PLACE);
  } catch {
    // nothing is stored
  }
}
