import { type Drawing, faceDown } from "../drawing";
import { StonesBoard, Tries } from "../hidden-stones/board";
import { stonesVerdict, triesSteps } from "../hidden-stones/steps";

export const darkHex: Drawing = {
  Board: (props) => <StonesBoard {...props} shape="hexagon" />,
  Choose: Tries,
  room: () => "h-10",
  verdict: (state) => stonesVerdict(state, "a chain that joins the two sides"),
  reveal: faceDown("All stones are shown"),
  after: ({ told }) => told.join(" "),
  howTo: (state) => ({
    goal: "Connect your two sides of the board with a chain of stones, past stones that you do not see.",
    steps: [
      "Black connects the top with the bottom, White the left side with the right one. Cells with a common edge touch.",
      ...triesSteps(state),
      "On a full board exactly one of the two is through, so nobody can draw.",
    ],
  }),
  tour: [
    { at: "middle", text: "The board as you know it: your own stones, and those of the other that you have run into." },
    { at: "moves", text: "Click a cell to put a stone there. If it is taken, you see the other's stone instead." },
  ],
};
