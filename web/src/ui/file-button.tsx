// A button that opens a file of the person's and hands over its text.
import type { ReactNode } from "react";

const BUTTON =
  "inline-flex min-h-10 cursor-pointer items-center rounded-lg border border-line bg-panel px-3 " +
  "text-sm hover:bg-raised has-focus-visible:outline-3 has-focus-visible:outline-(--ring)";

export function FileButton({
  label,
  onText,
  children,
}: {
  label: string;
  onText: (text: string) => Promise<void> | void;
  children: ReactNode;
}) {
  return (
    <label className={BUTTON}>
      <input
        type="file"
        accept=".json,application/json"
        className="sr-only"
        aria-label={label}
        onChange={(e) => {
          const [file] = e.target.files ?? [];
          if (file) void file.text().then(onText);
          e.target.value = "";
        }}
      />
      {children}
    </label>
  );
}
