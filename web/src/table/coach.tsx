// What one's last move has cost, said over the board as soon as it is known; for who has switched the coach on.
import type { TableState } from "../api/client";
import { costOf, costText } from "../mind/cost";
import { useMind } from "../mind/mind";
import { usePreferences } from "../store/preferences";

const SAID = "arrive max-w-full truncate rounded-full px-3 py-1 text-sm font-semibold shadow-lg";

export function Coach({ state, token }: { state: TableState; token: string }) {
  const { coach } = usePreferences();
  const ply = state.history.findLast((event) => event.by === "you")?.ply;
  if (!coach || ply === undefined || state.mind !== "always" || state.turn === "over") return null;
  return <Verdict key={ply} state={state} token={token} ply={ply} />;
}

function Verdict({ state, token, ply }: { state: TableState; token: string; ply: number }) {
  const { data } = useMind({ id: state.id, token }, ply, state.open, false);
  const found = data?.done && data.ply === ply ? costOf(data) : undefined;
  return (
    <p
      role="status"
      data-testid="coach"
      className="pointer-events-none absolute inset-x-2 bottom-1 z-10 flex justify-center"
    >
      {data && found && (
        <span className={`${SAID} ${found.better ? "bg-warn-bg text-warn" : "bg-panel text-good"}`}>
          {costText(found, data)}
        </span>
      )}
    </p>
  );
}
