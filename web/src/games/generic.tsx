// A game without a drawing: its text, and the fields of the view by name.
import type { BoardProps } from "./drawing";
import { Spoken, TableTop } from "./table-top";

type Value = number | string | Value[];

export function GenericBoard({ state, play }: BoardProps) {
  const fields = state.view.kind === "generic" ? Object.entries(state.view.fields as Record<string, Value>) : [];
  return (
    <div className="space-y-4">
      <TableTop told state={state} play={play} middle={<Spoken state={state} />} />
      <details className="panel p-3">
        <summary className="text-sm text-soft">Everything you see, field by field</summary>
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {fields.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="font-mono break-all">{written(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function written(value: Value): string {
  return Array.isArray(value) ? `[${value.map(written).join(", ")}]` : String(value);
}
