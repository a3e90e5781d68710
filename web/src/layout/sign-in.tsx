// Where the server is not open to everybody: a form in place of the page, as soon as an answer asks for it.
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { create } from "zustand";
import { api, ask, errorText } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { Button, Panel, ErrorMessage } from "../ui/basic";
import { useTitle } from "../ui/use-title";

const useNeeded = create(() => ({ needed: false }));
const setNeeded = (needed: boolean) => useNeeded.setState({ needed });

// A seat's token is refused with another challenge.
api.use({
  onResponse({ response }) {
    if (response.status === 401 && response.headers.get("WWW-Authenticate")?.startsWith("Cookie")) setNeeded(true);
  },
});

export function SignedIn({ children }: { children: ReactNode }) {
  return useNeeded().needed ? <SignIn /> : children;
}

/** For those who have signed in; a server that is open to everybody has nothing to leave. */
export function SignOut() {
  const { data: state } = useApiQuery("signed in", () => ask(api.GET("/api/sign-in")));
  if (!state?.required || state.name === null) return null;
  return (
    <Button
      look="quiet"
      className="whitespace-nowrap"
      title={state.named ? `You are ${state.name}` : undefined}
      onClick={() => void api.POST("/api/sign-in/end").finally(() => window.location.reload())}
    >
      Sign out
    </Button>
  );
}

const FIELD = "mt-1 block w-full rounded-lg border border-line bg-panel px-3 py-2 text-ink";

function SignIn() {
  useTitle("Sign in");
  const { data: state } = useApiQuery("sign-in", () => ask(api.GET("/api/sign-in")));
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (state && (!state.required || state.name !== null)) setNeeded(false);
  }, [state]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      await ask(api.POST("/api/sign-in/begin", { body: { name, password } }));
      setNeeded(false);
    } catch (error) {
      setProblem(errorText(error));
      setPassword("");
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center px-4 py-8">
      <h1 className="mb-4 flex items-center justify-center gap-3 font-serif text-3xl">
        <img src="/icon.svg" alt="" width={40} height={40} />
        Parlor
      </h1>
      <Panel title="Sign in">
        <form onSubmit={(event) => void submit(event)} className="grid gap-3">
          {state?.named && (
            <label className="text-sm text-soft">
              Name
              <input
                className={FIELD}
                autoComplete="username"
                maxLength={40}
                required
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
          )}
          <label className="text-sm text-soft">
            Password
            <input
              className={FIELD}
              type="password"
              autoComplete="current-password"
              maxLength={200}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </label>
          {problem && <ErrorMessage>{problem}</ErrorMessage>}
          <Button look="main" type="submit" disabled={busy}>
            Sign in
          </Button>
        </form>
      </Panel>
      <p className="mt-3 text-center text-sm text-soft">Whoever runs this server has the password.</p>
    </main>
  );
}
