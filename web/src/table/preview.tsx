// Before a table at which this browser has no seat: what it is, and whether one can sit down, take over a seat, or look later.
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { type TablePreview, type Seated, api, ask, errorText } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { useGameTitle } from "../queries/games";
import { GameIcon } from "../games/glyph";
import { Button, RadioRow, ErrorMessage, PagePending } from "../ui/basic";
import { useTitle } from "../ui/use-title";
import { dropSeat, keepSeat, useToken } from "../store/seats";
import { setPreferences, usePreferences } from "../store/preferences";
import { plural } from "../format/numbers";

const MISSING =
  "There is no table at this link. Perhaps it was not copied whole, or a letter was changed: ask whoever sent it to copy it again.";

export function TablePreviewPage({ id }: { id: string }) {
  const gameTitle = useGameTitle();
  const preview = useApiQuery(`preview of ${id}`, () =>
    ask(api.GET("/api/tables/{table}/preview", { params: { path: { table: id } } })),
  );
  useTitle(preview.data ? gameTitle(preview.data.game) : "Table");
  if (preview.status === 404 || preview.status === 422) return <Said title="No such table">{MISSING}</Said>;
  if (preview.problem || !preview.data)
    return <PagePending what="the table" problem={preview.problem} again={preview.again} />;
  return <PreviewPage id={id} preview={preview.data} again={preview.again} />;
}

function Said({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel mx-auto max-w-xl space-y-3 p-6 text-center">
      <h1 className="text-2xl">{title}</h1>
      <p role="alert">{children}</p>
      <Link className="inline-block rounded underline" to="/">
        To the lobby
      </Link>
    </section>
  );
}

/** What a table is to somebody without a seat, in a sentence. */
function sentence({ status, open_seats: open, players }: TablePreview): string {
  if (status === "waiting" && open.length > 0)
    return `${plural(open.length, "seat")} of ${players} ${open.length === 1 ? "is" : "are"} open: you can sit down.`;
  if (status === "over")
    return "This game is over, but others that share its cards still run. It can be looked at when they are over too.";
  return "This game is still running, and it is not open to spectators. It can be looked at when it is over.";
}

function PreviewPage({ id, preview, again }: { id: string; preview: TablePreview; again: () => void }) {
  const gameTitle = useGameTitle();
  const old = useToken(id);
  const host = preview.host_name;
  return (
    <div className="mx-auto max-w-xl space-y-4" data-testid="preview" data-status={preview.status}>
      <section className="felt flex items-center gap-4 p-5 sm:p-7">
        <GameIcon game={preview.game} />
        <div>
          <h1 className="text-2xl sm:text-3xl">
            {preview.status === "waiting" ? `${host} invites you to play` : `A game of ${host}'s`}
          </h1>
          <p className="mt-1 text-lg opacity-90">{gameTitle(preview.game)}</p>
        </div>
      </section>
      {old && (
        <ErrorMessage again={() => dropSeat(id)} button="Forget the old seat">
          The seat that this browser had here was taken to another browser.
        </ErrorMessage>
      )}
      <section className="panel space-y-4 p-4 sm:p-5">
        <p>{sentence(preview)}</p>
        {preview.status === "waiting" && preview.open_seats.length > 0 && (
          <SitDown id={id} preview={preview} again={again} />
        )}
        {preview.status !== "waiting" && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => window.location.reload()}>Look again</Button>
            <Link to="/" className="inline-flex min-h-10 items-center rounded px-2 text-sm underline">
              To the lobby
            </Link>
          </div>
        )}
      </section>
      <TakeOver id={id} />
    </div>
  );
}

function SitDown({ id, preview, again }: { id: string; preview: TablePreview; again: () => void }) {
  const taste = usePreferences();
  const [seat, setSeat] = useState("any");
  const [problem, setProblem] = useState("");
  const seats = preview.open_seats.map((one) => ({ value: String(one), text: `Seat ${one + 1}` }));
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { seat: seats.some(({ value }) => value === seat) ? Number(seat) : null, player_name: taste.name };
        ask(api.POST("/api/tables/{table}/join", { params: { path: { table: id } }, body })).then(
          sitDown,
          (error: unknown) => {
            setProblem(errorText(error));
            again();
          },
        );
      }}
    >
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <label className="text-sm text-soft">
          <span className="mb-1 block">Your name</span>
          <input
            className="field w-52"
            maxLength={40}
            autoComplete="off"
            value={taste.name}
            onChange={(e) => setPreferences({ name: e.target.value })}
            placeholder="what others call you"
          />
        </label>
        {seats.length > 1 && (
          <RadioRow label="Seat" value={seat} options={[{ value: "any", text: "Any" }, ...seats]} onChange={setSeat} />
        )}
      </div>
      <Button look="main" type="submit" className="w-full py-3 text-base sm:w-auto sm:px-10">
        Sit down
      </Button>
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
    </form>
  );
}

/** The page around notices that there is a token now, and shows the table. */
const sitDown = ({ state, token }: Seated) => {
  dropSeat(state.id);
  keepSeat(state, token);
};

/** By a code from another browser, which may be in the link already. */
function TakeOver({ id }: { id: string }) {
  const { hash } = useLocation();
  const [code, setCode] = useState(hash.slice(1));
  const [problem, setProblem] = useState("");
  return (
    <details className="panel p-4" open={hash.length > 1}>
      <summary className="w-fit rounded text-soft hover:text-ink">I have a seat here, in another browser</summary>
      <form
        className="mt-3 space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          setProblem("");
          ask(
            api.POST("/api/tables/{table}/claim", {
              params: { path: { table: id } },
              body: { code: code.trim().toUpperCase() },
            }),
          ).then(sitDown, (error: unknown) => setProblem(errorText(error)));
        }}
      >
        <p className="text-sm text-soft">
          There, choose “Go on in another browser” under “Seats”, and enter here the code that it shows.
        </p>
        <label className="flex flex-wrap items-center gap-2 text-sm">
          Code
          <input
            className="field w-40 font-mono tracking-widest uppercase"
            maxLength={12}
            autoComplete="off"
            autoCapitalize="characters"
            value={code}
            onChange={(e) => setCode(e.target.value)}
          />
          <Button look="main" type="submit" disabled={!code.trim()}>
            Take my seat
          </Button>
        </label>
        {problem && <ErrorMessage>{problem}</ErrorMessage>}
      </form>
    </details>
  );
}
