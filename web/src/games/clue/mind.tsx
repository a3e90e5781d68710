// An agent's mind in Clue: how often it makes each suggestion, how likely each is what lies in the file, and its notepad.
import type { Mind } from "../../api/client";
import { ShareBar } from "../../ui/basic";
import type { SeatContext } from "../../moves/place";
import { capitalized, formatPercent } from "../../format/numbers";
import { type Deck, KINDS, Picture, cardsOf, deckOf, shortName } from "./cards";
import { type ClueNotes, Grid, Known, deals, toneOf } from "./notepad";

const MAX_MOVES = 6; // moves that are listed

export function ClueMind({ mind, place }: { mind: Mind; place: SeatContext }) {
  const { notes } = mind;
  const likely = mind.moves
    .filter(({ probability }) => probability > 0)
    .toSorted((a, b) => b.probability - a.probability);
  const shown = likely.slice(0, MAX_MOVES);
  const made = likely.find(({ move }) => move.id === mind.chosen?.id);
  if (made && !shown.includes(made)) shown.push(made);
  const rest = 1 - shown.reduce((sum, { probability }) => sum + probability, 0);
  return (
    <div className="space-y-3">
      <ul className="space-y-2 text-sm">
        {shown.map((one) => {
          const chosen = one.move.id === mind.chosen?.id;
          const right = notes ? solution(notes, one.move.details) : undefined;
          return (
            <li key={one.move.name} className="grid grid-cols-[minmax(0,1fr)_7rem] items-center gap-x-2">
              <span className={`leading-snug ${chosen ? "font-semibold" : ""}`}>
                {capitalized(one.text)}
                {right !== undefined && (
                  <span className="block text-xs font-normal text-soft">lies in the file: {formatPercent(right)}</span>
                )}
              </span>
              <ShareBar share={one.probability} label={formatPercent(one.probability)} strong={chosen} />
            </li>
          );
        })}
        {rest > 0.001 && (
          <li className="grid grid-cols-[minmax(0,1fr)_7rem] items-center gap-x-2 text-soft">
            <span>Anything else</span>
            <ShareBar share={rest} label={formatPercent(rest)} tone="b" />
          </li>
        )}
      </ul>
      {notes && (
        <section aria-label={`The notepad of ${place.names[mind.player] ?? "the player"}`} data-testid="its-notepad">
          <h4 className="mb-1 text-xs text-soft">
            {mind.own
              ? `Your notepad${notes.believed ? `, as ${mind.agent.name} reads the others` : ""}`
              : notes.believed
                ? "Its notepad, with what it reads from the others' behaviour"
                : "Its notepad"}
            : {deals(notes.deals)}
          </h4>
          <div className="h-[26rem] overflow-hidden rounded-lg border border-line">
            <Pad notes={notes} names={place.names} />
          </div>
        </section>
      )}
    </div>
  );
}

/** The probability that what a move names is what lies in the file; undefined if it names no three cards. */
function solution(notes: ClueNotes, details: Record<string, string | number>): number | undefined {
  const deck = deckOf(notes);
  let index = 0;
  for (const kind of KINDS) {
    const cards = cardsOf(notes, kind);
    const at = cards.indexOf(deck.indexOf(String(details[kind])));
    if (at < 0) return undefined;
    index = index * cards.length + at;
  }
  return notes.solutions[index];
}

function Pad({ notes, names }: { notes: ClueNotes; names: string[] }) {
  const columns = names
    .map((_, i) => (notes.player + i) % names.length)
    .map((p) => ({ place: String(p), name: names[p] ?? "" }));
  const chance = (card: number, place: string) => notes.cards[card]?.[place === "file" ? names.length : Number(place)];
  return (
    <Grid
      deck={notes}
      columns={columns}
      cell={(card, _, place) => <Known chance={chance(card, place)} />}
      tone={(card) => toneOf(chance(card, "file"))}
      name={(card) => <Name deck={notes} card={card} />}
    />
  );
}

const Name = ({ deck, card }: { deck: Deck; card: number }) => (
  <span className="flex items-center gap-1 px-1.5">
    <Picture deck={deck} card={card} className="size-3.5 shrink-0" />
    <span className="truncate">{shortName(deck, card)}</span>
  </span>
);
