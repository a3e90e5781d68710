// What to play: the game, its rules in words, the number of players.
import { useId } from "react";
import type { GameInfo, OptionInfo } from "../api/client";
import { GameIcon } from "../games/glyph";
import { RadioRow } from "../ui/basic";
import { optionTitle, optionChoiceTitle } from "../format/names";

export type Options = Record<string, string>;

const GAME =
  "flex gap-3 rounded-xl border-2 border-line p-3 hover:bg-raised " +
  "has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-3 " +
  "has-focus-visible:outline-(--ring) max-sm:flex-col max-sm:gap-1";

export function GamePicker({
  games,
  name,
  onChange,
}: {
  games: GameInfo[];
  name: string;
  onChange: (name: string) => void;
}) {
  return (
    <fieldset>
      <legend className="sr-only">Game</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {games.map((game) => (
          <label key={game.name} className={GAME}>
            <input
              type="radio"
              name="game"
              aria-label={game.title}
              aria-describedby={`${game.name}-summary`}
              className="sr-only"
              checked={game.name === name}
              onChange={() => onChange(game.name)}
            />
            <span className="flex-none">
              <GameIcon game={game.name} />
            </span>
            <span className="min-w-0">
              <span className="block font-serif text-lg leading-tight break-words">{game.title}</span>
              <span id={`${game.name}-summary`} className="block text-xs text-soft">
                {game.summary}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

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
  if (game.options.length === 0) return null;
  return (
    <div className="mt-4 space-y-3">
      {preset && (
        <div className="space-y-1.5">
          <RadioRow
            label="Rules"
            value={chosen}
            options={preset.words.map(({ word, title }) => ({ value: word, text: title }))}
            onChange={(word) => onChange(word === preset.default ? {} : { preset: word })}
          />
          <p className="text-sm" data-testid="preset">
            {preset.words.find(({ word }) => word === chosen)?.meaning}
          </p>
        </div>
      )}
      {players && <PlayersField option={players} value={options.players} onChange={set(players)} />}
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
