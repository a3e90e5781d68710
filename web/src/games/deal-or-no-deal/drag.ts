// Items that are dragged from one side of the table to the other.

const DRAG_DISTANCE = 8; // pixels: less is a click

export const isDrag = (x: number, y: number) => Math.hypot(x, y) > DRAG_DISTANCE;

/** Whether an item was dropped where it goes: one's own side is on the right, and `by` is 1 for what comes to it. */
export const isOnOtherSide = (x: number, table: { left: number; width: number }, by: number) =>
  x > table.left + table.width / 2 === by > 0;
