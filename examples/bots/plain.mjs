// A bot in JavaScript: any legal action, but the last one with a good card in Kuhn poker.
//
// sleuth match kuhn_poker --agents "bot:node examples/bots/plain.mjs" random
import { createInterface } from "node:readline";

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

// A small generator of chance: the same seed gives the same game.
function chance(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(below));
  };
}

let game, player, below;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    game = message.game;
    say({ protocol: 1 });
  } else if (message.type === "game") {
    player = message.player;
    below = chance(message.seed);
  } else if (message.type === "move") {
    const { id, state, legal } = message; // null in a state: this seat cannot see it
    const good = game === "kuhn_poker" && state.cards[player] === 2;
    say({ id, action: good ? legal.at(-1) : legal[below(legal.length)] });
  }
}
