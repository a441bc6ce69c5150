import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { openMemory, openSqlite } from "@baton/store/sqlite";
import { DIALECTS } from "../dialects/dialects.ts";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../testing/crews.ts";
import { lastIdOf, parseFrames, readBytes, type SeenFrame } from "../testing/frames.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

async function start(server: TestServer, body: object): Promise<string> {
  const answer = await server.post("/api/runs", body, { Prefer: "wait" });
  assert.equal(answer.status, 200);
  return answer.headers.get("x-run-id") ?? "";
}

async function follow(server: TestServer, path: string, last?: string): Promise<readonly SeenFrame[]> {
  const answer = await server.get(path, last === undefined ? {} : { "Last-Event-ID": last });
  if (answer.status === 204) return [];
  assert.equal(answer.status, 200);
  return parseFrames(await answer.text());
}

/** Without what is in no log. */
const inLog = (frames: readonly SeenFrame[]) => frames.filter(({ id }) => id !== undefined);

for (const { name: dialect } of DIALECTS) {
  test(`a finished run in ${dialect}, cut before and after any frame, continues without loss or repeat`, async () => {
    await using server = await startTestServer([WAITS]);
    const first = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
    const session = first.headers.get("x-session-id");
    const id = await start(server, { input: "that one", session_id: session });
    const path = `/api/runs/${id}/events?dialect=${dialect}`;
    const whole = await (await server.get(path)).text();
    const frames = inLog(parseFrames(whole));
    assert.ok(frames.length > 5);
    const bytes = Buffer.from(whole);
    // What a client does next depends on nothing but the last id it has.
    const resumed = new Map<string | undefined, readonly SeenFrame[]>();
    for (const cut of toCuts(bytes)) {
      const seen = inLog(parseFrames(bytes.subarray(0, cut).toString()));
      const last = lastIdOf(seen);
      const rest = resumed.get(last) ?? inLog(await follow(server, path, last));
      resumed.set(last, rest);
      assert.deepEqual([...seen, ...rest], frames, `cut at byte ${cut}`);
    }
    assert.equal(resumed.size, frames.length + 1);
    assert.deepEqual(await follow(server, path, frames.at(-1)?.id), []);
  });

  test(`a live run in ${dialect}, whose client is interrupted before and after any frame, continues without loss or repeat`, async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    const begun = await server.post("/api/runs", { input: "hello" });
    const path = `/api/runs/${begun.headers.get("x-run-id")}/events?dialect=${dialect}`;
    model.say("One\r\n");
    model.say("two");
    const opening = await readUntil(server, path, "two");
    const cuts = toCuts(Buffer.from(opening));
    assert.ok(cuts.length > 3);
    const seen = await Promise.all(cuts.map(async (cut) => readBytes(await server.get(path), cut)));
    const again = seen.map(async (text) => {
      const had = inLog(parseFrames(text));
      return [...had, ...inLog(await follow(server, path, lastIdOf(had)))];
    });
    model.say(" three");
    model.end();
    const all = await Promise.all(again);
    const frames = inLog(await follow(server, path));
    for (const [cut, got] of all.entries()) assert.deepEqual(got, frames, `cut at byte ${cut}`);
  });

  test(`a stream in ${dialect} that a restart interrupts continues without loss or repeat`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-resume-"));
    const open = () => openSqlite({ path: join(folder, "baton.db") });
    let path = "";
    let seen: readonly SeenFrame[] = [];
    {
      await using server = await startTestServer([SLOW], { database: await open() });
      const begun = await server.post("/api/runs", { input: "hello" });
      path = `/api/runs/${begun.headers.get("x-run-id")}/events?dialect=${dialect}`;
      const streaming = server.get(path);
      await readUntil(server, path, "w5");
      const stopped = server.server.stop();
      const text = await (await streaming).text();
      await stopped;
      assert.match(text, /: the server is stopping\nretry: \d+\n\n$/);
      seen = inLog(parseFrames(text));
    }
    assert.ok(seen.length > 3);
    {
      await using server = await startTestServer([SLOW], { database: await open() });
      const rest = await follow(server, path, lastIdOf(seen));
      assert.ok(rest.length > 0);
      assert.deepEqual([...seen, ...inLog(rest)], inLog(await follow(server, path)));
    }
    await rm(folder, { recursive: true });
  });
}

/** The bytes before and after the end of each frame: in between, a client has the same last id and does the same next. */
function toCuts(bytes: Buffer): readonly number[] {
  const cuts = new Set([0, bytes.length]);
  for (let end = bytes.indexOf("\n\n"); end >= 0; end = bytes.indexOf("\n\n", end + 1)) {
    for (const cut of [end, end + 1, end + 2]) cuts.add(cut);
  }
  return [...cuts];
}

/** Follows until the text has come, and gives all that came. */
async function readUntil(server: TestServer, path: string, text: string): Promise<string> {
  const reader = (await server.get(path)).body?.getReader();
  assert.ok(reader);
  const decoder = new TextDecoder();
  let got = "";
  while (!got.includes(text)) {
    const { done, value } = await reader.read();
    assert.ok(!done, got);
    got += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return got;
}

test("the answer that starts or resumes a run ends at its pause, and the run's own stream at its end", async () => {
  await using server = await startTestServer([WAITS]);
  const first = await server.post("/api/crew/stream", { query: "hello" });
  const session = first.headers.get("x-session-id") ?? "";
  const path = `/api/runs/${first.headers.get("x-run-id")}/events?dialect=crew`;
  const whole = follow(server, path);
  const one = parseFrames(await first.text());
  assert.match(one.at(-2)?.data ?? "", /\[PAUSE:asker\]/);
  const second = await server.post("/api/crew/stream", { query: "that one", session_id: session });
  assert.equal(second.headers.get("x-run-id"), first.headers.get("x-run-id"));
  const two = parseFrames(await second.text());
  assert.match(two[0]?.data ?? "", /goes on/);
  assert.deepEqual([...one, ...two], await whole);
});

test("two answers at once are both in the stream that follows, whether the run pauses between them or not", async () => {
  await using server = await startTestServer([ASKS]);
  const body = { id: "chat", messages: [{ role: "user", parts: [{ type: "text", text: "erase" }] }] };
  const first = await server.post("/api/chat", body);
  assert.match(await first.text(), /tool-approval-request/);
  const run = first.headers.get("x-run-id") ?? "";
  const parts = ["1.1.1", "1.1.2"].map((position) => ({
    type: "dynamic-tool",
    state: "approval-responded",
    approval: { id: `${run}/${position}`, approved: true },
  }));
  const second = await server.post("/api/chat", {
    ...body,
    messages: [...body.messages, { role: "assistant", parts }],
  });
  const text = await second.text();
  assert.match(text, /erased a\.txt/);
  assert.match(text, /erased b\.txt/);
  assert.match(text, /wish\./);
  assert.match(text, /data: \[DONE\]\n\n$/);
});

test("whoever names no frame of a stream is told so, and whoever is past its end that there is no more", async () => {
  await using server = await startTestServer([RELAY], { database: openMemory() });
  const id = await start(server, { input: "hello" });
  for (const wrong of ["x", "-1", "1.", "1.2.3", "1e3", " 1", "+1", "0x1", "1 "]) {
    const answer = await server.get(`/api/runs/${id}/events?after=${encodeURIComponent(wrong)}`);
    assert.equal(answer.status, 400, wrong);
  }
  for (const [place, status] of [
    ["0", 200],
    ["1", 200],
    ["999999", 204],
  ] as const) {
    assert.equal((await server.get(`/api/runs/${id}/events?after=${place}`)).status, status, place);
  }
});
