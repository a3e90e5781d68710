import { type Drawing, faceDown } from "../drawing";
import { StonesBoard, Tries } from "../hidden-stones/board";
import { optionOf, stonesVerdict, triesSteps } from "../hidden-stones/steps";

export const phantomTicTacToe: Drawing = {
  Board: (props) => <StonesBoard {...props} shape="square" />,
  Choose: Tries,
  room: () => "h-10",
  verdict: (state) => stonesVerdict(state, `${optionOf(state, "row") ?? "3"} in a row`),
  reveal: faceDown("All marks are shown"),
  after: ({ told }) => told.join(" "),
  howTo: (state) => ({
    goal: `Get ${optionOf(state, "row") ?? "3"} in a row, against marks that you do not see.`,
    steps: [...triesSteps(state), "If the board is full and nobody has a row, nobody wins."],
  }),
  tour: [
    { at: "middle", text: "The board as you know it: your own marks, and those of the other that you have run into." },
    { at: "moves", text: "Click a cell to put your mark there. If it is taken, you see the other's mark instead." },
  ],
};
