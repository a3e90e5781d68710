import { useEffect } from "react";

/** The title of the window while this is shown, and of what it is a part. */
export function useTitle(title: string, of = "Parlor"): void {
  useEffect(() => {
    document.title = title ? `${title} · ${of}` : of;
  }, [title, of]);
}
