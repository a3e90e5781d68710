// A table of results: its caption, its columns, and whatever rows it is given.
import type { ReactNode } from "react";
import { ScrollSideways } from "./basic";

/** Columns are given by name, each with classes of its own; a table that is too wide scrolls sideways. */
export function DataTable({
  label,
  caption,
  columns,
  className = "",
  children,
}: {
  label: string;
  caption: ReactNode;
  columns: Record<string, string>;
  className?: string;
  children: ReactNode;
}) {
  return (
    <ScrollSideways label={label}>
      <table className={`w-full text-sm ${className}`}>
        <caption className="pb-2 text-left text-soft">{caption}</caption>
        <thead>
          <tr className="text-left text-xs text-soft">
            {Object.entries(columns).map(([name, look]) => (
              <th key={name} scope="col" className={`pb-1 font-normal ${look}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollSideways>
  );
}
