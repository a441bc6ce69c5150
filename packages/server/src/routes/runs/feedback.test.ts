import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { TestKeys } from "../../testing/test-keys.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const RUN = z.looseObject({ id: z.string(), feedback: z.looseObject({ rating: z.string() }).optional() });
const RUNS = z.object({ runs: z.array(RUN) });

async function start(server: TestServer, body: object, headers = {}): Promise<string> {
  const answer = await server.post("/api/runs", body, { Prefer: "wait", ...headers });
  return answer.headers.get("x-run-id") ?? "";
}

const put = (
  server: TestServer,
  id: string,
  { headers = {}, ...body }: { headers?: object; [field: string]: unknown },
) =>
  fetch(`${server.url}/api/runs/${id}/feedback`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("feedback is in the run's record, in lists and filters, in metrics, and goes with the run", async () => {
  await using server = await startTestServer([RELAY]);
  const [good, other] = [await start(server, { input: "one" }), await start(server, { input: "two" })];
  const answer = await put(server, good, { rating: "up", comment: "Well done" });
  assert.equal(answer.status, 200);
  const { at: _, ...given } = z.looseObject({ at: z.string() }).parse(await answer.json());
  assert.deepEqual(given, { rating: "up", comment: "Well done", user: "local" });
  const shown = RUN.parse(await (await server.get(`/api/runs/${good}`)).json());
  assert.equal(shown.feedback?.rating, "up");
  const idsOf = async (rating: string) =>
    RUNS.parse(await (await server.get(`/api/runs?feedback=${rating}`)).json()).runs.map(({ id }) => id);
  assert.deepEqual(await idsOf("up"), [good]);
  assert.deepEqual(await idsOf("down"), []);
  assert.deepEqual(await idsOf("any"), [good]);
  assert.deepEqual(await idsOf("none"), [other]);
  assert.match(await (await server.get("/metrics")).text(), /baton_feedback_total\{rating="up"\} 1/);
  assert.equal((await put(server, good, { rating: null })).status, 204);
  assert.deepEqual(await idsOf("any"), []);
  await put(server, good, { rating: "down" });
  const gone = await fetch(`${server.url}/api/runs/${good}/feedback`, { method: "DELETE" });
  assert.equal(gone.status, 204);
  assert.deepEqual(await idsOf("any"), []);
});

test("what is no feedback is refused, and so is that on a run that is running", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const begun = await server.post("/api/runs", { input: "hi" });
  const id = begun.headers.get("x-run-id") ?? "";
  const early = await put(server, id, { rating: "up" });
  assert.deepEqual(
    [early.status, z.looseObject({ code: z.string() }).parse(await early.json()).code],
    [409, "conflict"],
  );
  assert.equal((await put(server, id, { rating: "good" })).status, 400);
  assert.equal((await put(server, id, {})).status, 400);
  assert.equal((await put(server, id, { rating: "up", comment: "x".repeat(2_001) })).status, 400);
  assert.equal((await put(server, "nobody", { rating: "up" })).status, 404);
  model.end();
});

test("a paused run is rated, and each user rates alone", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  const root = await keys.make("acme", ["run", "read", "admin"], { user: "root" });
  await using server = await startTestServer([WAITS], { database: keys.database });
  const id = await start(server, { input: "hi" }, ann);
  assert.equal((await put(server, id, { rating: "up", headers: ann })).status, 200);
  const seen = async (headers: Record<string, string>) =>
    RUN.parse(await (await server.get(`/api/runs/${id}`, headers)).json()).feedback?.rating;
  assert.equal(await seen(root), "up");
  assert.equal((await put(server, id, { rating: "down", headers: root })).status, 200);
  assert.deepEqual([await seen(ann), await seen(root)], ["up", "down"]);
});
