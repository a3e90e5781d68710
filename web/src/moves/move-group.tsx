// The moves of a table as one group with one tab stop.
import type { ReactNode } from "react";
import { useRoving } from "./roving";

/** The moves of a table, as one group. */
export function MoveGroup({
  label,
  children,
  className = "",
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  const roving = useRoving<HTMLElement>();
  return (
    <section data-moves data-tour="moves" aria-label={label} className={`h-full ${className}`} {...roving}>
      {children}
    </section>
  );
}
