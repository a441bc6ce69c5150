/** Simulations: what is found, that seeds repeat it, and that nothing real is written. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { type CrewDefinition, defineCrew, defineTool, type Model, scriptModel } from "@baton/core";
import type { Replies } from "@baton/core/testing";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { stringify } from "yaml";
import { readPersonas } from "./persona.ts";
import { simulate } from "./simulate.ts";

const written: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "idempotent",
  input: z.object({}),
  run: () => written.push("paid"),
});
const DESK: CrewDefinition = {
  name: "shop",
  tools: [pay],
  agents: [{ id: "desk", tools: ["Pay"] }, { id: "clerk" }],
  signals: { desk: [{ signal: "[CLERK]", target: "clerk" }], clerk: [{ signal: "[DESK]", target: "desk" }] },
  behaviors: { desk: { waitForSignal: true } },
  settings: { maxHandoffs: 9 },
};

async function readAll(...personas: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), "personas-"));
  try {
    const files = personas.map((_, at) => join(folder, `${at}.yaml`));
    for (const [at, file] of files.entries()) await writeFile(file, stringify(personas[at]));
    return await readPersonas(files);
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Talk = Readonly<{
  persona: object;
  replies: Replies;
  crew?: CrewDefinition;
  count?: number;
  personaModel?: Model;
}>;

async function talk({ persona, replies, crew = DESK, count = 1, personaModel }: Talk) {
  await using store = await Store.open({ database: openMemory() });
  return await simulate({
    crew: defineCrew(crew),
    store,
    personas: await readAll({ name: "p", ...persona }),
    model: () => scriptModel(replies),
    personaModel: () => personaModel,
    commandOf: (name, seed) => `again ${name} ${seed}`,
    count,
    seed: 1,
  });
}

const kinds = (report: Awaited<ReturnType<typeof talk>>) => report.findings.map(({ kind }) => kind);
const LOOP = { say: "x [CLERK]" };

test("a crew that waits when the persona has no more to say is a dead end, unless the persona stops", async () => {
  const replies = { desk: [{ say: "What else?" }] };
  const open = await talk({ persona: { says: ["Hello"] }, replies });
  assert.deepEqual(open.findings, [
    { kind: "dead_end", persona: "p", seed: 1, agent: "desk", text: "What else?", command: "again p 1" },
  ]);
  assert.deepEqual([open.outcomes, open.agents, open.never_reached], [{ paused: 1 }, { desk: 1 }, ["clerk"]]);
  assert.deepEqual(kinds(await talk({ persona: { says: ["Hello", "[STOP]"] }, replies })), []);
});

test("repeated replies and handoffs are loops, and a limit is told", async () => {
  const again = { desk: [{ say: "Pardon?" }] };
  assert.deepEqual(kinds(await talk({ persona: { says: ["a", "b", "c", "[STOP]"] }, replies: again })), ["loop"]);
  const desk = [LOOP, { say: "y [CLERK]" }, { say: "z [CLERK]" }, { say: "w [CLERK]" }, { say: "v [CLERK]" }];
  const clerk = ["1", "2", "3", "4", "5"].map((word) => ({ say: `${word} [DESK]` }));
  const found = await talk({ persona: { says: ["a"] }, replies: { desk, clerk } });
  assert.deepEqual([...new Set(kinds(found))], ["loop", "limit"]);
});

test("a failure, a refused call and a turn without text are found", async () => {
  assert.deepEqual(kinds(await talk({ persona: { says: ["a"] }, replies: { desk: [{ fail: "down" }] } })), ["failed"]);
  const call = { call: [{ tool: "Pay", args: {} }] };
  const refused = await talk({
    persona: { says: ["a", "[STOP]"] },
    replies: { desk: [call, { say: "No." }] },
    crew: { ...DESK, permissions: { Pay: "deny" } },
  });
  assert.deepEqual(kinds(refused), ["denied"]);
  const silent: CrewDefinition = { name: "shop", agents: [{ id: "desk", audience: "crew", isTerminal: true }] };
  const unheard = await talk({ persona: { says: ["a"] }, replies: { desk: [{ say: "note" }] }, crew: silent });
  assert.deepEqual(kinds(unheard), ["unanswered"]);
});

test("the same seed gives the same bytes, and others draw other texts", async () => {
  const persona = { says: ["Hello", ["red", "green", "blue"], "[STOP]"] };
  const replies = {
    desk: [{ when: "red", say: "R" }, { when: "green", say: "G" }, { when: "blue", say: "B" }, { say: "Which?" }],
  };
  const runs = await Promise.all([1, 2].map(() => talk({ persona, replies, count: 8 })));
  assert.equal(JSON.stringify(runs[0]), JSON.stringify(runs[1]));
});

test("a model speaks for a persona until it stops", async () => {
  const personaModel = scriptModel({ persona: [{ say: "I want tea." }, { say: "Thanks. [STOP]" }] });
  const persona = { model: "any", goal: "Buy tea." };
  const report = await talk({ persona, personaModel, replies: { desk: [{ say: "Here is tea." }] } });
  assert.deepEqual([report.findings, report.agents], [[], { desk: 1 }]);
});

test("a tool that writes needs a double", async () => {
  const replies = { desk: [{ call: [{ tool: "Pay", args: {} }] }, { say: "Done." }] };
  await assert.rejects(talk({ persona: { says: ["a"] }, replies }), { message: /Pay is idempotent and has no double/ });
  const persona = { says: ["a", "[STOP]"], tools: { Pay: [{ output: "paid" }] } };
  assert.deepEqual(kinds(await talk({ persona, replies })), []);
  assert.deepEqual(written, []);
});

test("a wrong persona is refused with its file and field", async () => {
  await assert.rejects(readAll({ name: "p", sais: ["a"] }), { code: "invalid", message: /0\.yaml/ });
  await assert.rejects(readAll({ name: "p", says: ["a"], model: "m" }), { message: /needs one of/ });
  await assert.rejects(readAll({ name: "p", says: ["a"] }, { name: "p", says: ["b"] }), { message: /called p/ });
});
