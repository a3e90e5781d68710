// Where somebody sits, and what can be done there: told to the parts of a table and to the drawings of games alike.

export type SeatContext = {
  id: string;
  token: string;
  game: string;
  seat: number | null;
  players: number;
  names: string[];
};

/** Plays the move of an id; without it nothing can be done. */
export type Play = ((id: number) => void) | undefined;
