// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, ask, bearer, errorText, isUnreachable, retryDelay } from "../src/api/client";
import { followLive } from "../src/api/live";

describe("an answer of the API", () => {
  const response = (status: number) => new Response("", { status, statusText: "Teapot" });
  const failed = async (request: Promise<never>) => {
    try {
      return await ask(request);
    } catch (error) {
      return error as ApiError;
    }
  };

  test("is its data", async () => {
    expect(await ask(Promise.resolve({ data: 0, response: response(200) }))).toBe(0);
  });

  test("or a sentence with the status", async () => {
    const refused = Promise.resolve({ error: { detail: "It is not your turn." }, response: response(409) });
    expect(await failed(refused as never)).toMatchObject({ status: 409, message: "It is not your turn." });
    const silent = Promise.resolve({ error: "", response: response(418) });
    expect(await failed(silent as never)).toMatchObject({ status: 418, message: "The server answered 418 Teapot." });
  });

  test("without one the server cannot be reached", async () => {
    const error = await failed(Promise.reject(new TypeError("failed to fetch")));
    expect(error).toMatchObject({ status: 0 });
    expect(isUnreachable(error)).toBe(true);
    expect([500, 502, 503, 504, 404].map((status) => isUnreachable(new ApiError(status, "")))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(errorText(error)).toContain("reconnects by itself");
  });

  test("a seat shows its token, a spectator nothing", () => {
    expect([bearer("t"), bearer("")]).toEqual([{ Authorization: "Bearer t" }, {}]);
  });
});

test("tries come ever less often, but every few seconds", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  expect([0, 1, 2, 3, 4, 20].map(retryDelay)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  vi.restoreAllMocks();
  for (let i = 0; i < 20; i++) expect(Math.abs(retryDelay(3) / 2000 - 1)).toBeLessThanOrEqual(0.25);
});

describe("what is followed live", () => {
  class Socket extends EventTarget {
    static last: Socket;
    static readonly OPEN = 1;
    readyState = 1;
    sent: string[] = [];
    constructor(readonly address: string) {
      super();
      Socket.last = this;
    }
    send(text: string) {
      this.sent.push(text);
    }
    close() {
      this.dispatchEvent(new Event("close"));
    }
  }
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const source = (look: () => Promise<void>) => ({
    path: "/live",
    token: "secret",
    look: vi.fn(look),
    take: vi.fn(),
    there: vi.fn(),
    away: vi.fn(),
    fail: vi.fn(),
  });

  test("is read once, and then told by the WebSocket, which gets the token", async () => {
    const live = source(async () => {});
    const end = followLive(live);
    await vi.runAllTimersAsync();
    Socket.last.dispatchEvent(new Event("open"));
    Socket.last.dispatchEvent(new MessageEvent("message", { data: '{"ply": 3}' }));
    expect(Socket.last.sent).toEqual(['{"token":"secret"}']);
    expect(live.take).toHaveBeenCalledExactlyOnceWith({ ply: 3 });
    expect(live.look).toHaveBeenCalledTimes(1);
    end();
    Socket.last.dispatchEvent(new MessageEvent("message", { data: '{"ply": 4}' }));
    await vi.runAllTimersAsync();
    expect([live.take.mock.calls.length, live.look.mock.calls.length]).toEqual([1, 1]);
  });

  test("is read again when the WebSocket closes", async () => {
    const live = source(async () => {});
    const end = followLive(live);
    await vi.runAllTimersAsync();
    Socket.last.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(live.look).toHaveBeenCalledTimes(2);
    end();
  });

  test("is tried again while the server is away, and not when it is refused", async () => {
    let error: unknown = new ApiError(503, "busy");
    const live = source(() => (error ? Promise.reject(error) : Promise.resolve()));
    followLive(live);
    await vi.advanceTimersByTimeAsync(1000);
    expect(live.away).toHaveBeenCalledWith("busy");
    expect(live.look.mock.calls.length).toBeGreaterThan(1);
    error = new ApiError(404, "no such table");
    await vi.advanceTimersByTimeAsync(5000);
    expect(live.fail).toHaveBeenCalledExactlyOnceWith(error);
    expect(live.there).not.toHaveBeenCalled();
  });
});
