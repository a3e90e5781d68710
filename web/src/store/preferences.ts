// What the person has chosen once for all tables.
import type { TableState } from "../api/client";
import { persisted } from "./persisted";

export type Theme = "system" | "light" | "dark";
export type Preferences = {
  name: string;
  theme: Theme;
  seconds: number;
  paused: boolean;
  mind: TableState["mind"];
  muted: boolean;
  coach: boolean; // says after each move what it has cost
  guided: string[];
};

const DEFAULT_PREFERENCES: Preferences = {
  name: "",
  theme: "system",
  seconds: 1,
  paused: false,
  mind: "always",
  muted: false,
  coach: false,
  guided: [],
};

const [usePreferences, savePreferences] = persisted<Preferences>("parlor.taste", (kept) => ({
  ...DEFAULT_PREFERENCES,
  ...(kept as Partial<Preferences> | null),
}));

export { usePreferences };

export function setPreferences(change: Partial<Preferences>): void {
  savePreferences({ ...usePreferences.getState(), ...change });
  applyTheme();
}

export function applyTheme(): void {
  const { theme } = usePreferences.getState();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
