// Text to be sent to somebody, with a button that copies it.
import { useRef, useState } from "react";
import { Button } from "./basic";

export function CopyField({ label, text, button = "Copy" }: { label: string; text: string; button?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      field.current?.select(); // a page without encryption may not write there by itself
      document.execCommand("copy");
    }
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  }

  return (
    <span className="flex gap-2">
      <input
        ref={field}
        readOnly
        aria-label={label}
        className="field min-w-0 grow font-mono text-xs"
        value={text}
        onFocus={(e) => e.target.select()}
      />
      <Button look="main" onClick={() => void copy()}>
        <span aria-live="polite">{done ? "Copied" : button}</span>
      </Button>
    </span>
  );
}

/** The address of a table, the same for everybody. */
export const tableLink = (id: string) => `${window.location.origin}/table/${id}`;
