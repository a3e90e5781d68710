// The rules of a game in words, and the number of players.
import { useId } from "react";
import type { GameInfo, OptionInfo } from "../api/client";
import { Button, RadioRow } from "../ui/basic";
import { optionTitle, optionChoiceTitle } from "../format/names";

export type Options = Record<string, string>;

/** The rules that can be chosen: a preset in words first, each rule by itself behind it. */
export function OptionFields({
  game,
  options,
  onChange,
}: {
  game: GameInfo;
  options: Options;
  onChange: (options: Options) => void;
}) {
  const preset = game.options.find((option) => option.name === "preset");
  const chosen = options.preset ?? preset?.default ?? "";
  const defaults = game.presets[chosen] ?? {};
  const rules = game.options
    .filter((option) => option !== preset)
    .map((option) => ({ ...option, default: defaults[option.name] ?? option.default }));
  const players = rules.find((option) => option.name === "players");
  const others = rules.filter((option) => option !== players);
  const changed = others.filter((option) => options[option.name] !== undefined).length;
  const set = (option: OptionInfo) => (value: string) => {
    const { [option.name]: _, ...rest } = options;
    onChange(value === "" || value === option.default ? rest : { ...rest, [option.name]: value });
  };
  const isOf =
    (given: Options) =>
    ({ word }: { word: string }) =>
      (given.preset ?? preset?.default) === word;
  const papers = game.research.map((one) => one.options);
  const words = (preset?.words ?? []).filter((word) => !papers.some((given) => isOf(given)(word)));
  const meaning = preset?.words.find(({ word }) => word === chosen)?.meaning;
  const same = (given: Options) => JSON.stringify(given) === JSON.stringify(options);
  if (game.options.length === 0) return null;
  return (
    <div className="space-y-3">
      {words.length > 1 && (
        <RadioRow
          bare
          label="Rules"
          value={chosen}
          options={words.map(({ word, title }) => ({ value: word, text: title }))}
          onChange={(word) => onChange(word === preset?.default ? {} : { preset: word })}
        />
      )}
      {meaning && (
        <p className="text-sm" data-testid="preset">
          {meaning}
        </p>
      )}
      {players && <PlayersField option={players} value={options.players} onChange={set(players)} />}
      {game.research.length > 0 && (
        <fieldset className="text-sm">
          <legend className="mb-1 text-soft">Research presets</legend>
          <div className="flex flex-wrap gap-1.5">
            {[...(words.length > 1 ? [] : [{ title: "The whole game", options: game.offered }]), ...game.research].map(
              (one) => (
                <Button
                  key={one.title}
                  className="min-h-8 aria-pressed:border-accent aria-pressed:font-semibold"
                  aria-pressed={same(one.options)}
                  onClick={() => onChange(one.options)}
                >
                  {one.title}
                </Button>
              ),
            )}
          </div>
        </fieldset>
      )}
      {others.length > 0 && (
        <details>
          <summary className="w-fit rounded text-sm text-soft hover:text-ink">
            Every rule by itself{changed ? ` (${changed} changed)` : ""}
          </summary>
          <div className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
            {others.map((option) => (
              <OptionField key={option.name} option={option} value={options[option.name]} onChange={set(option)} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

type FieldProps = { option: OptionInfo; value: string | undefined; onChange: (value: string) => void };

function PlayersField({ option, value, onChange }: FieldProps) {
  const counts = Array.from({ length: Math.floor((option.high - option.low) / option.step) + 1 }, (_, index) =>
    String(option.low + index * option.step),
  );
  return (
    <RadioRow
      label="Players"
      value={value ?? option.default}
      options={counts.map((count) => ({ value: count, text: count }))}
      onChange={onChange}
    />
  );
}

function OptionField({ option, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="text-sm">
      <label htmlFor={id} className="block font-medium">
        {optionTitle(option.name)}
      </label>
      {option.words.length > 0 ? (
        <select
          id={id}
          className="field my-1 w-full"
          value={value ?? option.default}
          onChange={(e) => onChange(e.target.value)}
        >
          {option.words.map((word) => (
            <option key={word.word} value={word.word}>
              {optionChoiceTitle(word)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="number"
          className="field my-1 w-full"
          min={option.low}
          max={option.high}
          step={option.step}
          placeholder={option.default}
          value={value ?? ""}
          onChange={(e) => onChange(e.target.value)}
        />
      )}
      <span className="block text-xs text-soft">{option.help}</span>
    </div>
  );
}
