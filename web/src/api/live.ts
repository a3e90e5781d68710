// Something that changes on the server, followed live: it is read, then a WebSocket says what is new.
import { isUnreachable, errorText, retryDelay } from "./client";

export type LiveSource<T> = {
  /** The address of the WebSocket, and what shows who asks. */
  path: string;
  token: string;
  /** Read all of it. */
  look: () => Promise<void>;
  /** What the WebSocket has said. */
  take: (next: T) => void;
  /** It was read: the server is there. */
  there: () => void;
  /** The server is away, in a sentence. */
  away: (sentence: string) => void;
  /** It was refused. */
  fail: (error: unknown) => void;
};

/**
 * Read it, then get by a WebSocket what happens. When that closes, begin anew, and while the server is away try again and
 * again, ever less often; where no WebSocket can be opened it is read every few seconds. Returns what ends it.
 */
export function followLive<T>({ path, token, look, take, there, away, fail }: LiveSource<T>): () => void {
  let wanted = true;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;
  const soon = () => {
    if (wanted) timer = setTimeout(connect, retryDelay(tries++));
  };
  function connect() {
    look().then(
      () => {
        if (!wanted) return;
        there();
        listen();
      },
      (error: unknown) => {
        if (!wanted) return;
        if (!isUnreachable(error)) return fail(error);
        away(errorText(error));
        soon();
      },
    );
  }
  function listen() {
    socket = new WebSocket(window.location.origin.replace(/^http/, "ws") + path);
    const mine = socket;
    mine.addEventListener("open", () => (wanted ? mine.send(JSON.stringify({ token })) : mine.close()));
    mine.addEventListener("message", (event) => {
      tries = 0;
      if (wanted) take(JSON.parse(String(event.data)) as T);
    });
    mine.addEventListener("close", soon);
  }
  connect();
  return () => {
    wanted = false;
    clearTimeout(timer);
    if (socket?.readyState === WebSocket.OPEN) socket.close();
  };
}
