import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defineCrew, openBaton, scriptModel } from "./index.ts";

const crew = defineCrew({ name: "Tea shop", agents: [{ id: "host", isTerminal: true }] });
const model = scriptModel({ host: [{ say: "Green tea." }] });

/** A folder that is gone afterwards. */
async function inFolder<T>(work: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = await mkdtemp(join(tmpdir(), "baton-"));
  try {
    return await work(cwd);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

test("in memory nothing is left, and a run can be opened by its id meanwhile", async () => {
  await using baton = await openBaton({ store: "memory", model });
  const run = baton.start(crew, "What is there?");
  assert.equal((await Array.fromAsync(run.text())).join(""), "Green tea.");
  const same = await baton.open(run.id);
  assert.equal((await same.result).content, "Green tea.");
  assert.equal((await baton.runs({})).length, 1);
  await assert.rejects(baton.open("nobody"), { code: "not_found" });
});

test("two on the same folder see each other's runs", async () => {
  await inFolder(async (data) => {
    await using one = await openBaton({ data, model });
    await using other = await openBaton({ data, model });
    const { id, result } = one.start(crew, "hello");
    await result;
    assert.equal((await (await other.open(id)).result).content, "Green tea.");
    assert.equal((await other.start(crew, "hello").result).outcome, "done");
  });
});

test("what is started and what is served is in one list, and the console is there", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  await baton.start("Tea-shop", "hello").result;
  const served = await baton.serve({ port: 0 });
  const answer = await fetch(`${served.url}/api/runs`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Prefer: "wait" },
    body: JSON.stringify({ crew: "Tea-shop", input: "hello" }),
  });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /Green tea\./);
  assert.match(await (await fetch(`${served.url}/`)).text(), /<html/);
  assert.equal((await baton.runs({})).length, 2);
  await served.stop();
  await assert.rejects(fetch(served.url));
});

test("a port that is in use is said with the way out", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const { port } = await baton.serve({ port: 0, console: false });
  await assert.rejects(baton.serve({ port, console: false }), /port \d+ of 127\.0\.0\.1 is in use; .*`port`/);
});

test("folders of crews in YAML run by the name of their folder", async () => {
  const path = join(import.meta.dirname, "../../../crews/hello");
  await using baton = await openBaton({ store: "memory", crews: [path], env: {}, model: "script" });
  assert.equal((await baton.start("hello", "Hello!").result).outcome, "done");
});

test("wrong options and requests are refused in one sentence", async () => {
  const refused = async (options: object, message: RegExp) => {
    await assert.rejects(openBaton(options), (error: Error) => {
      assert.match(error.message, message);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  };
  await refused({ dat: "x" }, /no option `dat`; did you mean `data`\?/);
  await refused({ data: "" }, /`data` must be/);
  await refused({ data: "x", store: "memory" }, /exclude each other/);
  await refused({ store: "disk" }, /`store` must be "memory"/);
  await refused({ envFile: "x" }, /`envFile` must be true or false/);
  await refused({ envFile: true, env: {} }, /`envFile` and `env` exclude each other/);
  await refused({ maxToolCalls: 0 }, /`maxToolCalls` must be/);
  await refused({ model: 5 }, /`model` must be/);
  await refused({ store: "memory", crews: [{}] }, /not a crew/);
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  assert.throws(() => baton.start("Tea-shpo", "hi"), /did you mean "Tea-shop"\?/);
  assert.throws(() => baton.start(crew, "hi", { agent: "nobody" }), { code: "not_found" });
  await using empty = await openBaton({ store: "memory", model });
  await assert.rejects(empty.serve({ port: 0 }), /no crew to serve/);
});

test("a key that is missing is told by the run, and the process goes on", async () => {
  const named = defineCrew({
    name: "n",
    model: { name: "openai/gpt-5-mini" },
    agents: [{ id: "a", isTerminal: true }],
  });
  await using baton = await openBaton({ store: "memory", env: {} });
  await assert.rejects(baton.start(named, "hi").result, /OPENAI_API_KEY/);
  await assert.rejects(Array.fromAsync(baton.start(named, "hi").text()), /OPENAI_API_KEY/);
});

test("what was disposed of starts nothing more", async () => {
  const baton = await openBaton({ store: "memory", model });
  await baton[Symbol.asyncDispose]();
  assert.throws(() => baton.start(crew, "hi"), { code: "closed" });
});

test("requests are answered in this process, with runs of the program in the same list", async () => {
  await using baton = await openBaton({ store: "memory", model, crews: [crew] });
  const { fetch: own } = baton;
  const { id } = baton.start(crew, "hello");
  const body = JSON.stringify({ input: "hello" });
  const headers = { "Content-Type": "application/json", Prefer: "wait" };
  const answer = await own(new Request("http://localhost/api/runs", { method: "POST", headers, body }));
  assert.match(await answer.text(), /Green tea\./);
  const list = await own(new Request("http://localhost/api/runs"));
  assert.match(await list.text(), new RegExp(id));
  assert.equal((await own(new Request("https://tea.example/api/runs"))).status, 403);
  const mounted = baton.handler({ basePath: "/tea", identify: () => ({ user: "ada" }) });
  assert.equal((await mounted(new Request("https://tea.example/tea/api/runs"))).status, 200);
});
