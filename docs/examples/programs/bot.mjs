#!/usr/bin/env node
// An agent for any game in JavaScript, by Parlor's line protocol: every legal move with the same probability.
// It lets Parlor draw the move, so that games with the same seed are the same games.
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "bot.mjs" });
  if (message.type === "act") {
    const legal = message.observation.legal;
    say({ id: message.id, probabilities: Object.fromEntries(legal.map((move) => [move, 1 / legal.length])) });
  }
}
