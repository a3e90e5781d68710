// A value that this browser keeps, the same in all its windows.
import { create } from "zustand";

/** A Zustand store of what is kept under `key`, which `revive` makes of it: of null if nothing is, or nothing legible. */
export function persisted<T>(key: string, revive: (kept: unknown) => T) {
  const read = () => {
    try {
      return revive(JSON.parse(localStorage.getItem(key) ?? "null"));
    } catch {
      return revive(null);
    }
  };
  const useStore = create<T>(read);
  window.addEventListener("storage", (event) => {
    if (event.key === key) useStore.setState(read(), true);
  });
  const save = (value: T): void => {
    useStore.setState(value, true);
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // a browser without storage: the page works until it is closed
    }
  };
  return [useStore, save] as const;
}
