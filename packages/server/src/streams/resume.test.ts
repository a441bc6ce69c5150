import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "@baton/store/sqlite";
import { DIALECTS } from "../dialects/dialects.ts";
import { ASKS, RELAY, WAITS } from "../testing/crews.ts";
import { follow, inLog, toCuts } from "../testing/followed-stream.ts";
import { lastIdOf, parseFrames, type SeenFrame } from "../testing/frames.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

async function start(server: TestServer, body: object): Promise<string> {
  const answer = await server.post("/api/runs", body, { Prefer: "wait" });
  assert.equal(answer.status, 200);
  return answer.headers.get("x-run-id") ?? "";
}

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
