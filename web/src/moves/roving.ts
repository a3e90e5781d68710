// One tab stop for a group of buttons: the arrow keys go from one to the next.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { typing } from "./keys";

const BUTTONS = "button:not(:disabled)";

/** For the group's element: its ref and what it does with keys and focus. A form inside it has tab stops of its own. */
export function useRoving<T extends HTMLElement>(): {
  ref: RefObject<T | null>;
  onKeyDown: (event: KeyboardEvent<T>) => void;
  onFocus: () => void;
} {
  const ref = useRef<T>(null);
  const settle = () => {
    const buttons = [...(ref.current?.querySelectorAll<HTMLButtonElement>(BUTTONS) ?? [])];
    const now =
      buttons.find((button) => button === document.activeElement) ??
      buttons.find((button) => button.tabIndex === 0 && button.hasAttribute("tabindex")) ??
      buttons[0];
    for (const button of buttons) button.tabIndex = button === now ? 0 : -1;
  };
  useLayoutEffect(settle);
  return {
    ref,
    onFocus: settle,
    onKeyDown: (event) => {
      if (typing(event.target)) return;
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>(BUTTONS)];
      const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(now + step + buttons.length) % buttons.length]?.focus();
      event.preventDefault();
    },
  };
}
