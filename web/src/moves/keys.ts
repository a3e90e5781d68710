// Keys of the page that work wherever the focus is.
import { useEffect } from "react";

export const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);

/** Keys that work wherever the focus is, unless somebody is typing. A key that is held down counts once, but for arrows. */
export function useKeys(act: (key: string) => boolean): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (event.repeat && !event.key.startsWith("Arrow")) return;
      if (document.querySelector("dialog[open]")) return;
      if (act(event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [act]);
}

/** The key of the nth move: 1 … 9, then 0. */
export const keyOf = (index: number) => (index < 9 ? String(index + 1) : index === 9 ? "0" : "");
