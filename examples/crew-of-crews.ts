/**
 * Crew of crews: a travel desk hands over to a booking crew, which asks the user; a new process goes on with the answer.
 *
 * Run it with `npx node examples/crew-of-crews.ts`: no key, the replies come from a script, the run is in a SQLite file.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCrew, type Run, scriptModel } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";

const booking = defineCrew({
  name: "booking",
  agents: [{ id: "clerk" }, { id: "cashier", isTerminal: true }],
  behaviors: { clerk: { waitForSignal: true } },
  signals: { clerk: [{ signal: "[PAY]", target: "cashier" }] },
});

const travel = defineCrew({
  name: "travel",
  subCrews: { booking },
  agents: [{ id: "desk" }, { id: "guide", isTerminal: true }],
  signals: { desk: [{ signal: "[BOOK]", target: "booking", returnTo: "guide" }] },
});

const model = scriptModel({
  desk: [{ say: "A night in Lisbon, then. [BOOK]" }],
  clerk: [{ say: "Which hotel: Alfama or Belem?" }, { when: "alfama", say: "Alfama it is. [PAY]" }],
  cashier: [{ say: "Alfama is booked and paid." }],
  guide: [{ say: "Take tram 28 up the hill." }],
});

let seen = 0;

/** Each call stands for a process of its own: all that it knows is in the file. */
async function withEngine(path: string, work: (engine: DurableEngine) => Promise<Run>): Promise<string> {
  await using store = await Store.open({ database: await openSqlite({ path }) });
  await using engine = new DurableEngine({ store, crews: [travel], model: () => model });
  const run = await work(engine);
  for await (const event of run.events({ after: seen })) {
    seen = event.seq;
    if (event.type === "turn.ended") console.log(`${event.turn} ${event.agent}: ${event.content ?? event.text}`);
  }
  console.log(`— ${(await run.result).outcome}`);
  return run.id;
}

const folder = await mkdtemp(join(tmpdir(), "baton-example-"));
const path = join(folder, "runs.db");
const id = await withEngine(path, (engine) => engine.start(travel, { input: "I want to see Lisbon." }));
await withEngine(path, (engine) => engine.resume(id, "Alfama, please."));
await rm(folder, { recursive: true });
