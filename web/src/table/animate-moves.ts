// Things travel: what appears somewhere comes from where it was, and what leaves goes where it belongs.
//
// An element says where it lies (`data-zone`), what it is (`data-kind`, if the same thing may lie elsewhere), how many
// there are (`data-count`), and by the `data-anchor` of another element where it comes from (`data-from`) and goes (`data-to`).
import { type RefObject, useLayoutEffect, useRef } from "react";

type Lying = { element: HTMLElement; box: DOMRect; kind: string; count: number };
const MOVE = { duration: 320, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };

export const prefersReducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whenever `moment` changes, what lies inside the element is compared with what lay there before. */
export function useMoveAnimation(inside: RefObject<HTMLElement | null>, moment: number): void {
  const before = useRef<Map<string, Lying>>(undefined);
  useLayoutEffect(() => {
    const root = inside.current;
    if (!root) return;
    const now = new Map<string, Lying>();
    for (const element of root.querySelectorAll<HTMLElement>("[data-zone]")) {
      const { zone = "", kind = "", count = "1" } = element.dataset;
      now.set(zone, { element, box: element.getBoundingClientRect(), kind, count: Number(count) });
    }
    const old = before.current;
    before.current = now;
    if (old && !prefersReducedMotion()) animateChanges(root, old, now);
  }, [inside, moment]);
}

function animateChanges(root: HTMLElement, old: Map<string, Lying>, now: Map<string, Lying>): void {
  const anchor = (name: string | undefined) =>
    name ? root.querySelector(`[data-anchor="${name}"]`)?.getBoundingClientRect() : undefined;
  const fewer = [...old].filter(([zone, lay]) => lay.count > (now.get(zone)?.count ?? 0));
  for (const [zone, lies] of now) {
    const had = old.get(zone);
    if (had && had.count >= lies.count) {
      if (had.box.width) slide(lies.element, had.box, lies.box); // it was put elsewhere
      continue;
    }
    const source = lies.kind ? fewer.find(([, lay]) => lay.kind === lies.kind)?.[1].box : undefined;
    const start = source ?? anchor(lies.element.dataset.from);
    if (!start) continue;
    if (had) fly(root, lies.element.cloneNode(true) as HTMLElement, start, lies.box);
    else slide(lies.element, start, lies.box);
  }
  for (const [zone, lay] of fewer) {
    const end = now.has(zone) ? undefined : anchor(lay.element.dataset.to);
    if (end) fly(root, lay.element, lay.box, end);
  }
}

const between = (from: DOMRect, to: DOMRect) =>
  `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px)`;

function slide(element: HTMLElement, from: DOMRect, to: DOMRect): void {
  if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2) return;
  element.animate(
    [
      { transform: between(from, to), zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    MOVE,
  );
}

/** A picture of it on its way, which nobody can click and no screen reader sees. */
function fly(root: HTMLElement, picture: HTMLElement, from: DOMRect, to: DOMRect): void {
  for (const name of ["zone", "kind", "count", "from", "to"]) delete picture.dataset[name];
  picture.setAttribute("aria-hidden", "true");
  picture.inert = true;
  const frame = root.getBoundingClientRect();
  Object.assign(picture.style, {
    position: "absolute",
    left: `${from.x - frame.x}px`,
    top: `${from.y - frame.y}px`,
    width: `${from.width}px`,
    zIndex: "20",
    pointerEvents: "none",
  });
  root.append(picture);
  const flight = picture.animate([{ transform: "none" }, { transform: between(to, from), opacity: 0.6 }], MOVE);
  void flight.finished.finally(() => picture.remove());
}
