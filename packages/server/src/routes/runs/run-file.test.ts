import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { z } from "zod";
import { GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { TestKeys } from "../../testing/test-keys.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const HEADER = z.looseObject({
  format: z.string(),
  version: z.number(),
  run: z.string(),
  crew: z.looseObject({ name: z.string() }),
  record: z.looseObject({ input: z.string(), feedback: z.array(z.looseObject({ rating: z.string() })).optional() }),
  events: z.number(),
  sha256: z.string(),
});
const PROBLEM = z.looseObject({ code: z.string(), detail: z.string() });
const RUN = z.looseObject({ id: z.string(), status: z.string(), interrupted: z.boolean().optional() });

const send = (server: TestServer, file: string, headers = {}) =>
  fetch(`${server.url}/api/runs/import`, {
    method: "POST",
    headers: { "Content-Type": "application/jsonl", ...headers },
    body: file,
  });

async function exportOne(server: TestServer): Promise<{ readonly id: string; readonly file: string }> {
  const begun = await server.post("/api/runs", { input: "Find me: ostrich" }, { Prefer: "wait" });
  const id = begun.headers.get("x-run-id") ?? "";
  const answer = await server.get(`/api/runs/${id}/export`);
  assert.equal(answer.headers.get("content-type"), "application/jsonl");
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="run-[0-9a-f]{12}\.jsonl"$/);
  return { id, file: await answer.text() };
}

test("a run goes out as a file and comes in elsewhere with its id, and is shown, searched, replayed and forked", async () => {
  await using server = await startTestServer([RELAY]);
  const { id, file } = await exportOne(server);
  const [first = "", ...lines] = file.split("\n").slice(0, -1);
  const header = HEADER.parse(JSON.parse(first));
  assert.deepEqual([header.format, header.version, header.run], ["baton-run", 1, id]);
  assert.equal(header.events, lines.length);
  assert.equal(header.crew.name, "relay");
  const hash = createHash("sha256").update(lines.map((line) => `${line}\n`).join(""));
  assert.equal(header.sha256, hash.digest("hex"));
  await using other = await startTestServer([RELAY]);
  const answer = await send(other, file);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("location"), `/api/runs/${id}`);
  const list = { Accept: "application/json" };
  const logs = await Promise.all(
    [server, other].map(async (one) => (await one.get(`/api/runs/${id}/events`, list)).text()),
  );
  assert.equal(logs[1], logs[0]);
  assert.match(await (await other.get("/api/runs?q=ostrich")).text(), new RegExp(id));
  const replayed = await other.post(`/api/runs/${id}/replay`, {});
  assert.match(await replayed.text(), /"identical":true/);
  assert.equal((await other.post(`/api/runs/${id}/fork`, { seq: 3 })).status, 201);
  assert.equal((await other.get(`/api/runs/${id}/export`)).status, 200);
});

test("an id that is taken is replaced by a new one, in every event", async () => {
  await using server = await startTestServer([RELAY]);
  const { id, file } = await exportOne(server);
  const { id: own } = RUN.pick({ id: true }).parse(await (await send(server, file)).json());
  assert.notEqual(own, id);
  const log = await (await server.get(`/api/runs/${own}/events`, { Accept: "application/json" })).text();
  assert.ok(log.includes(own) && !log.includes(`"run":"${id}"`));
  assert.match(await (await server.post(`/api/runs/${own}/replay`, {})).text(), /"identical":true/);
});

test("a file that was cut or changed is refused with its line, and nothing of it is kept", async () => {
  await using server = await startTestServer([RELAY]);
  await using other = await startTestServer([RELAY]);
  const { file } = await exportOne(server);
  const lines = file.split("\n").slice(0, -1);
  const [first = "", second = "", ...rest] = lines;
  const damages: readonly [RegExp, string][] = [
    [/line 1 .*empty/, ""],
    [/line 1 .*JSON/, "nonsense"],
    [/line 1 .*format/, "{}"],
    [new RegExp(`line ${lines.length} .*ends here`), lines.slice(0, -1).join("\n")],
    [/line 3 .*event 2/, [first, second, ...rest.slice(1)].join("\n")],
    [/line 2 .*JSON/, [first, second.slice(0, -9), ...rest].join("\n")],
    [/sha256/, file.replaceAll("ostrich", "emu")],
    [/more lines/, `${file}${rest.at(-1)}\n`],
    [/version is 2/, file.replace('"version":1', '"version":2')],
  ];
  for (const [expected, text] of damages) {
    const answer = await send(other, text);
    const { code, detail } = PROBLEM.parse(await answer.json());
    assert.deepEqual([answer.status, code], [400, "damaged"], detail);
    assert.match(detail, expected);
  }
  assert.match(await (await other.get("/api/runs")).text(), /"runs":\[\]/);
  assert.equal((await send(other, file, { "Content-Type": "application/json" })).status, 415);
});

test("a run that had not ended is marked as interrupted and does not continue by itself", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const begun = await server.post("/api/runs", { input: "hi" });
  const id = begun.headers.get("x-run-id") ?? "";
  const file = await (await server.get(`/api/runs/${id}/export`)).text();
  const database = new TestKeys().database;
  {
    await using other = await startTestServer([SLOW], { database });
    assert.equal((await send(other, file)).status, 201);
  }
  await using later = await startTestServer([SLOW], { database });
  const run = RUN.parse(await (await later.get(`/api/runs/${id}`)).json());
  assert.deepEqual([run.status, run.interrupted], ["paused", true]);
  model.end();
});

test("a run that waited is marked as interrupted too, until a person continues it", async () => {
  await using server = await startTestServer([WAITS]);
  const { file } = await exportOne(server);
  const { id } = RUN.pick({ id: true }).parse(await (await send(server, file)).json());
  const look = async () => RUN.parse(await (await server.get(`/api/runs/${id}`)).json());
  const imported = await look();
  assert.deepEqual([imported.status, imported.interrupted], ["paused", true]);
  await server.post(`/api/runs/${id}/commands`, { type: "resume", input: "blue" });
  await (await server.get(`/api/runs/${id}/events`)).text();
  const continued = await look();
  assert.deepEqual([continued.status, continued.interrupted], ["ended", undefined]);
});

test("only an administrator imports", async () => {
  const keys = new TestKeys();
  const headers = await keys.make("acme", ["run", "read"]);
  await using server = await startTestServer([RELAY], { database: keys.database });
  assert.equal((await send(server, "", headers)).status, 403);
});
