import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { McpLock } from "@baton/crewfile/mcp";
import { McpHost } from "./mcp-host.ts";
import { callOnce, CALLER, lockOf, programOf, SERVER } from "./testing/mcp-calls.ts";
import { inspectServer } from "./inspect-server.ts";

const FAULTY = programOf("fault-worker.ts");

describe("a server that", () => {
  let host: McpHost;
  let lock: McpLock;
  let folder: string;
  before(async () => {
    host = new McpHost();
    lock = await lockOf(FAULTY, host);
    folder = await mkdtemp(join(tmpdir(), "mcp-"));
  });
  after(async () => {
    await host[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const call = (tool: string, more: object = {}) => callOnce({ server: FAULTY, lock, host, tool, ...more });

  test("answers gives its text, and keeps one process for all calls", async () => {
    assert.equal((await call("echo", { args: { text: "hi" } })).output, "echo: hi");
    const { error } = await call("echo", { args: { text: 1 } });
    assert.match(error ?? "", /^validation: .*text: must be string/);
  });

  test("says that it failed fails the call with its words", async () => {
    assert.equal((await call("refuse")).error, "permanent: you may not");
  });

  test("gives something else than it promised is told so, and its result is kept", async () => {
    const { error, events } = await call("misfit");
    const why = "misfit did its work, but its result does not fit its outputSchema: answer is missing";
    assert.equal(error, `permanent: ${why}`);
    const note = events.find((event) => event.type === "note.made");
    assert.deepEqual([note?.kind, note?.data], ["mcp.result", { other: 1 }]);
  });

  test("writes lines that are no messages is warned of once", async () => {
    const warnings: string[] = [];
    await using own = new McpHost({ warn: (text) => warnings.push(text) });
    assert.equal((await call("noise", { host: own })).output, "done");
    assert.deepEqual(warnings, [`the MCP server ${SERVER} wrote a line that is not a message: starting up`]);
  });

  test("tells its progress very often is told of rarely, and always of the last", async () => {
    const { events } = await call("steps");
    const steps = events.flatMap((event) => (event.type === "call.progressed" ? [event.progress] : []));
    assert.ok(steps.length >= 1 && steps.length < 20, `${steps.length} steps`);
    assert.deepEqual(steps.at(-1), { progress: 100, total: 100 });
  });

  test("cannot be started is unavailable, with its exit code and last words", async () => {
    const { error } = await call("echo", { server: programOf("fault-worker.ts", "dead") });
    assert.match(error ?? "", /^unavailable: the MCP server it is not available: .*code 3: no such database$/);
    const none = await call("echo", { server: { command: ["/no/such/program"] } });
    assert.match(none.error ?? "", /^unavailable: .*ENOENT/);
  });

  test("dies in the middle of a call is asked again if it only reads, and a person is asked if not", async () => {
    const log = join(folder, "calls");
    const server = programOf("fault-worker.ts", "", log);
    const { error } = await call("die", { server });
    assert.match(error ?? "", /^network: the MCP server it went away during the call: .*code 7: out of memory$/);
    assert.equal(await readFile(log, "utf8"), "die\n".repeat(3));
    await rm(log);
    const { result } = await call("die", { server, effect: "irreversible" });
    assert.deepEqual([result.outcome, result.questions?.map(({ kind }) => kind)], ["paused", ["doubt"]]);
    assert.equal(await readFile(log, "utf8"), "die\n");
    assert.equal((await call("echo", { server })).output, "echo: ");
  });

  test("never answers is timed out by its own setting, and others go on", async () => {
    const server = { ...FAULTY, timeoutMs: 60 };
    const [{ error }, { output }] = await Promise.all([
      call("hang", { server, effect: "irreversible" }),
      call("echo", { server }),
    ]);
    assert.match(error ?? "", /^timeout: it did not answer within 0.06 s \(timeout_seconds of the server\)/);
    assert.equal(output, "echo: ");
  });

  test("gives too much fails the call with the setting, and the next call works", async () => {
    const { error } = await call("big", { effect: "irreversible" });
    assert.equal(error, "permanent: the result of it is larger than 1024 KB (max_result_kb)");
    assert.equal((await call("echo")).output, "echo: ");
  });

  test("has too many tools, or too large ones, is not taken", async () => {
    for (const [mode, why] of [
      ["many", /it lists 600 tools; at most 512 are taken/],
      ["long", /the definition of echo has \d+ bytes; at most 64 KB are taken/],
    ] as const) {
      const server = programOf("fault-worker.ts", mode);
      await assert.rejects(inspectServer({ host, name: SERVER, server, caller: CALLER }), { message: why });
      assert.match((await call("echo", { server })).error ?? "", /^unavailable: /);
    }
  });

  test("fails 5 times in a row is left alone for a while", async () => {
    const server = programOf("fault-worker.ts", "dead", "x");
    const errors = [await call("echo", { server }), await call("echo", { server })].map(({ error }) => error);
    assert.match(errors[1] ?? "", /^unavailable: .*the last 5 connections failed/);
  });

  test("has changed a tool asks the operator with the difference, and allows this call only", async () => {
    const server = programOf("fault-worker.ts", "changed");
    const asked = await call("echo", { server });
    const [question] = asked.result.questions ?? [];
    assert.deepEqual([question?.question, question?.kind, question?.who], ["1.1.1/drift", "approval", "operator"]);
    assert.deepEqual(question?.args, {
      arguments: {},
      diff: [{ path: "description", locked: "does echo", now: "something else" }],
    });
    assert.ok(asked.warnings.includes("the MCP server it has changed the tool echo since it was locked"));
    assert.equal((await call("echo", { server, answers: { drift: "allow" } })).output, "echo: ");
    const denied = await call("echo", { server, answers: { drift: "deny" } });
    assert.match(denied.error ?? "", /^permission: /);
  });

  test("has renamed all its tools has none of those that are locked", async () => {
    const server = programOf("fault-worker.ts", "renamed");
    const { error, warnings } = await call("echo", { server });
    assert.match(error ?? "", /^unavailable: it no longer has the tool echo; run `baton mcp update`$/);
    assert.equal(warnings.length, 16);
    assert.ok(warnings.includes("the MCP server it has lost the tool echo since it was locked"), warnings.join("\n"));
    assert.ok(warnings.includes("the MCP server it has a new tool echo2 since it was locked"), warnings.join("\n"));
  });

  test("is cancelled in the middle is told so, and the receipt says that the call stopped", async () => {
    const { promise, resolve } =
      Promise.withResolvers<Parameters<NonNullable<Parameters<typeof callOnce>[0]["onRun"]>>[0]>();
    const calling = call("hang", { onRun: resolve });
    const run = await promise;
    for await (const event of run.events()) if (event.type === "call.started") break;
    const receipt = await run.cancel();
    assert.equal((await calling).result.outcome, "cancelled");
    assert.ok(JSON.stringify(receipt).includes('"stopped"'), JSON.stringify(receipt));
  });
});
