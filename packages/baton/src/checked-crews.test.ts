/** Crews in code are checked as those in YAML are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCrew, defineCrew, defineTool, type Finding, openBaton, scriptModel } from "./index.ts";

const model = scriptModel({ a: [{ say: "Hello." }] });
const define = (name: string) =>
  defineCrew({ name, agents: [{ id: "a", isTerminal: true }, { id: "lost" }], entry: "a" });
const input = { jsonSchema: {}, validate: (value: unknown) => ({ ok: true as const, value }) };

/** What is written to standard error meanwhile. */
async function stderrOf(work: () => Promise<void>): Promise<string> {
  const write = process.stderr.write.bind(process.stderr);
  let text = "";
  process.stderr.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  try {
    await work();
    return text;
  } finally {
    process.stderr.write = write;
  }
}

test("checkCrew finds what `baton check` finds, with the place of defineCrew and names of models", () => {
  const [finding]: readonly Finding[] = checkCrew(define("shop"));
  assert.deepEqual([finding?.code, finding?.severity, finding?.path], ["unreachable_agent", "warning", "agents[1]"]);
  assert.deepEqual([finding?.file, finding?.line], [import.meta.filename, 8]);
  const crew = defineCrew({ name: "x", agents: [{ id: "a", isTerminal: true, model: { name: "opnai/x" } }] });
  assert.deepEqual(
    checkCrew(crew).map(({ code, fix }) => [code, fix]),
    [["unknown_provider", "did you mean `openai`?"]],
  );
});

test("openBaton writes the warnings of its crews once, and nothing about a crew without any", async () => {
  const text = await stderrOf(async () => {
    await using baton = await openBaton({ store: "memory", model, crews: [define("shop")] });
    await baton.start("shop", "hi").result;
    await baton.start("shop", "hi").result;
  });
  assert.deepEqual(text.match(/unreach|nothing leads/g), ["nothing leads"]);
  assert.match(
    text,
    /^baton: warning: .*checked-crews\.test\.ts:8: nothing leads from `a` to the agent `lost`; let a signal/m,
  );
  const clean = defineCrew({ name: "clean", agents: [{ id: "a", isTerminal: true, model: { name: "mine/own" } }] });
  assert.equal(
    await stderrOf(async () => (await openBaton({ store: "memory", model, crews: [clean] }))[Symbol.asyncDispose]()),
    "",
  );
});

test("a tool that no file can load is refused when its crew is to run in a thread", async () => {
  const tool = defineTool({ name: "T", description: "t", effect: "read", input, run: () => 1, isolation: "shared" });
  const crew = defineCrew({ name: "x", agents: [{ id: "a", isTerminal: true, tools: ["T"] }], tools: [tool] });
  assert.deepEqual(
    checkCrew(crew).map(({ code }) => code),
    ["thread_in_code"],
  );
  await using baton = await openBaton({ store: "memory", model });
  assert.throws(() => baton.start(crew, "hi"), { code: "invalid", message: /"T" has `isolation: shared`/ });
});

test("defineCrew names every error of structure, references and routing in one message", () => {
  const definition: object = {
    name: "bad",
    agents: [{ id: "a", temperature: 9, tools: ["Nope"] }],
    defaults: { a: "nobody" },
    signals: { a: [{ signal: "[X]", target: "nowhere" }] },
  };
  assert.throws(
    () => defineCrew(Object.assign({ name: "bad", agents: [] }, definition)),
    ({ message }: Error) =>
      ["9 is out of range", "`Nope`", "`nobody`", "`nowhere`"].every((part) => message.includes(part)),
  );
});
