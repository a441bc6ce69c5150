/**
 * A map over 1,000 items beside the least code that does the same: eight at once, one model call an item.
 *
 * `npx node bench/map.ts`. The ratio is the median of the rounds' own ratios.
 */
import { defineCrew, defineProgram, Engine, type Model } from "@baton/core";

const ITEMS = Array.from({ length: 1_000 }, (_, at) => `item ${at + 1}`);
const AT_ONCE = 8;
const ROUNDS = 7;

const model: Model = {
  name: "instant",
  async *stream() {
    yield [{ type: "text", text: "fine" }];
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  },
};

const crew = defineCrew({
  name: "map",
  agents: [{ id: "lister", model: { name: "code/list" } }, { id: "checker" }],
  programs: { list: defineProgram(() => ({ say: "[GO]", set: { items: ITEMS } })) },
  signals: { lister: [{ signal: "[GO]", target: "checks" }] },
  groups: { checks: { map: "checker", over: "state.items", maxParallel: AT_ONCE } },
});

async function playFloor(): Promise<readonly string[]> {
  const results: string[] = [];
  const items = ITEMS.entries();
  const work = async () => {
    for (const [at, item] of items) {
      let text = "";
      for await (const chunk of answer([{ role: "user", content: item }])) text += chunk;
      results[at] = text;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function* answer(messages: readonly object[]): AsyncGenerator<string> {
  yield messages.length > 0 ? "fine" : "";
}

async function playBaton(): Promise<number> {
  await using engine = new Engine({ model: () => model });
  const run = engine.start(crew, { input: "go" });
  let items = 0;
  for await (const event of run.events()) if (event.type === "group.ended") items = event.results.length;
  return items;
}

async function measure(play: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await play();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ITEMS.length;
}

if ((await playFloor()).length !== ITEMS.length || (await playBaton()) !== ITEMS.length) throw new Error("lost items");
const rounds: (readonly [floor: number, baton: number])[] = [];
for (let round = 0; round < ROUNDS; round++) rounds.push([await measure(playFloor), await measure(playBaton)]);
const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? 0;
const [floor, baton] = [median(rounds.map(([one]) => one)), median(rounds.map(([, one]) => one))];
const ratio = median(rounds.map(([one, other]) => other / one));
console.log(`µs an item: floor ${floor.toFixed(1)}, Baton ${baton.toFixed(1)}, ratio ${ratio.toFixed(1)}`);
