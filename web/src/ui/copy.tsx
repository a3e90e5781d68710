// Text to be sent to somebody, with a button that copies it.
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./basic";

/** Copies a text for two seconds of "Copied". */
function useCopy(text: string, select: () => void) {
  const [done, setDone] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      select(); // a page without encryption may not write there by itself
      document.execCommand("copy");
    }
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  }
  return { done, copy: () => void copy() };
}

export function CopyField({ label, text, button = "Copy" }: { label: string; text: string; button?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const { done, copy } = useCopy(text, () => field.current?.select());
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
      <Button look="main" onClick={copy}>
        <span aria-live="polite">{done ? "Copied" : button}</span>
      </Button>
    </span>
  );
}

/** A button that copies the address of a page of this server. */
export function CopyLink({ path, children }: { path: string; children: ReactNode }) {
  const field = useRef<HTMLInputElement>(null);
  const { done, copy } = useCopy(window.location.origin + path, () => field.current?.select());
  return (
    <>
      <Button onClick={copy}>
        <span aria-live="polite">{done ? "Link copied" : children}</span>
      </Button>
      <input
        ref={field}
        readOnly
        aria-hidden
        tabIndex={-1}
        className="pointer-events-none absolute size-px opacity-0"
        value={window.location.origin + path}
      />
    </>
  );
}

/** The address of a table, the same for everybody. */
export const tableLink = (id: string) => `${window.location.origin}/table/${id}`;
