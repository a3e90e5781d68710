// A checkbox with what it means.
export function Checkbox({
  label,
  help,
  on,
  onChange,
}: {
  label: string;
  help?: string;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <label className="flex max-w-64 cursor-pointer items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.5 size-5 flex-none"
        checked={on}
        onChange={(e) => onChange(e.target.checked)}
      />
      <span>
        {label}
        {help && <span className="block text-xs text-soft">{help}</span>}
      </span>
    </label>
  );
}
