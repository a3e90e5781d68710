// A game without a drawing: its text, and the fields of the view by name.
import type { TableState } from "../api/client";
import type { BoardProps, Drawing } from "./drawing";
import { Spoken, TableTop } from "./table-top";

type Value = number | string | Value[];

export const generic: Drawing = { Board: GenericBoard, Story: Fields };

function GenericBoard({ state }: BoardProps) {
  return <TableTop told state={state} middle={<Spoken state={state} />} />;
}

function Fields({ state }: { state: TableState }) {
  const fields = state.view.kind === "generic" ? Object.entries(state.view.fields as Record<string, Value>) : [];
  return (
    <details>
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
  );
}

function written(value: Value): string {
  return Array.isArray(value) ? `[${value.map(written).join(", ")}]` : String(value);
}
