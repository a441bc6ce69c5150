import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { defineCrew, defineTool, openBaton, scriptModel } from "@baton/baton";
import { createClient } from "@baton/client";
import { z } from "zod";

const input = z.object({});
const pay = defineTool({ name: "Pay", description: "Pays.", effect: "irreversible", input, run: () => "paid" });
/** Runs until its run is cancelled, or until `open` is called. */
function toGate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const gate = defineTool({
    name: "Wait",
    description: "Waits.",
    effect: "read",
    input,
    timeoutMs: 60_000,
    run: async (_, { scope }) => {
      enter();
      const { promise: aborted, resolve } = Promise.withResolvers<void>();
      scope.abort.addEventListener("abort", () => resolve());
      await Promise.race([opened, aborted]);
      return "waited";
    },
  });
  const crew = defineCrew({
    name: "slow",
    agents: [{ id: "guard", tools: ["Wait"], isTerminal: true }],
    tools: [gate],
  });
  return { crew, open, entered };
}

const till = defineCrew({ name: "till", agents: [{ id: "clerk", tools: ["Pay"], isTerminal: true }], tools: [pay] });
const model = scriptModel({
  clerk: [{ call: [{ tool: "Pay" }] }, { say: "Paid." }],
  guard: [{ call: [{ tool: "Wait" }] }, { say: "Over." }],
});

/** The first event of a feed of changes that fits. */
async function firstOf(url: string, fits: (text: string) => boolean): Promise<string> {
  const answer = await fetch(`${url}/api/feed`);
  let text = "";
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes).toString();
    if (fits(text)) return text;
  }
  return text;
}

test("a run of the program is answered over HTTP, and its result resolves in the program", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [till] });
  const run = baton.start(till, "Pay, please.");
  const { questions } = await run.result;
  const { url } = await baton.serve({ port: 0, console: false });
  await createClient({ url })
    .open(run.id)
    .answer(questions[0]?.question ?? "", "allow");
  assert.equal((await run.result).content, "Paid.");
});

test("a run that executes in the program is cancelled over HTTP, and readers of changes see it", async () => {
  const { crew, entered } = toGate();
  await using baton = await openBaton({ store: "memory", model });
  const run = baton.start(crew, "Wait.");
  await entered;
  const { url } = await baton.serve({ port: 0, console: false });
  const client = createClient({ url });
  const seen = await firstOf(url, (text) => text.includes(run.id));
  assert.match(seen, /"status":"running"/);
  const { stopped } = await client.open(run.id).cancel({ reason: "enough" });
  assert.ok(stopped.length > 0);
  assert.equal((await run.result).outcome, "cancelled");
});

test("a program's run is counted by the server that it starts later", async () => {
  const { crew, entered, open } = toGate();
  await using baton = await openBaton({ store: "memory", model });
  const run = baton.start(crew, "Wait.");
  await entered;
  const { url } = await baton.serve({ port: 0, console: false });
  open();
  await run.result;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /^baton_runs_total\{[^}]*crew="slow"[^}]*\} 1$/m);
});

test("two servers of a program command the same runs, and the stop of one neither ends them nor waits for them", async () => {
  const { crew, entered, open } = toGate();
  let closed = 0;
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const one = await baton.serve({ port: 0, console: false, graceMs: 2 ** 30, onShutdown: [() => closed++] });
  const other = await baton.serve({ port: 0, console: false });
  assert.notEqual(one.port, other.port);
  const run = await createClient({ url: one.url }).start("slow", "Wait.");
  const own = baton.start(crew, "Wait, too.");
  await entered;
  await one.stop();
  assert.equal(closed, 1);
  const same = createClient({ url: other.url }).open(run.id);
  open();
  assert.equal((await same.result).outcome, "done");
  assert.equal((await own.result).content, "Over.");
  assert.equal((await baton.start(crew, "Once more.").result).outcome, "done");
});

test("a crew that is first started after `serve` is served too", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [till] });
  const { url } = await baton.serve({ port: 0, console: false });
  const { crew, open } = toGate();
  open();
  await baton.start(crew, "Wait.").result;
  const again = await createClient({ url }).start("slow", "Wait.");
  assert.equal((await again.result).outcome, "done");
});

test("a client that waits for its answer gets it before the server has stopped", async () => {
  const { crew, entered, open } = toGate();
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const server = await baton.serve({ port: 0, console: false });
  const asked = fetch(`${server.url}/api/runs`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Prefer: "wait" },
    body: JSON.stringify({ crew: "slow", input: "Wait." }),
  });
  await entered;
  const stopping = server.stop();
  open();
  assert.match(await (await asked).text(), /Over\./);
  await stopping;
});

test("a client that waits longer than the grace period is told so, and its run continues in the program", async () => {
  const { crew, entered, open } = toGate();
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const server = await baton.serve({ port: 0, console: false, graceMs: 0 });
  const asked = fetch(`${server.url}/api/runs`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Prefer: "wait" },
    body: JSON.stringify({ crew: "slow", input: "Wait." }),
  });
  await entered;
  await server.stop();
  const { status } = await asked;
  assert.ok([202, 503].includes(status), String(status));
  const [record] = await baton.runs({});
  assert.equal(record?.status, "running");
  const run = await baton.open(record?.id ?? "");
  open();
  assert.equal((await run.result).content, "Over.");
});

test("no secret of the environment comes out of a run that the program starts", async () => {
  const leak = defineTool({ name: "Leak", description: "Leaks.", effect: "read", input, run: () => "key: abcdefgh12" });
  const crew = defineCrew({ name: "leaky", agents: [{ id: "a", tools: ["Leak"], isTerminal: true }], tools: [leak] });
  const says = scriptModel({ a: [{ call: [{ tool: "Leak" }] }, { say: "Done." }] });
  await using baton = await openBaton({ store: "memory", model: says, env: { SHOP_TOKEN: "abcdefgh12" } });
  const run = baton.start(crew, "Go.");
  await run.result;
  const events = await Array.fromAsync(run.events());
  assert.ok(!JSON.stringify(events).includes("abcdefgh12"));
  assert.ok(JSON.stringify(events).includes("key: ***"));
});

test("a program that starts, serves and disposes of all of it ends by itself", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "baton-"));
  const program = `
    import { defineCrew, openBaton, scriptModel } from "@baton/baton";
    const crew = defineCrew({ name: "tea", agents: [{ id: "host", isTerminal: true }] });
    const model = scriptModel({ host: [{ say: "Green tea." }] });
    await using baton = await openBaton({ data: ${JSON.stringify(cwd)}, model });
    const run = baton.start(crew, "hello");
    await baton.serve({ port: 0, console: false });
    await baton.serve({ port: 0, console: false });
    await baton.recover();
    console.log((await run.result).content);
  `;
  try {
    const args = ["--input-type=module-typescript", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    assert.equal(stdout, "Green tea.\n");
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
