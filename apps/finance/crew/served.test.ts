/** The served assistant: one question from start to end, and two users with the same session id who share nothing. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type As,
  type IsolationHarness,
  makeKey,
  openShared,
  recordingCache,
  serveAssistant,
} from "./testing/isolation-harness.ts";

const SESSION = "s0";
const SECRET = "mellifont";

describe("the served assistant", () => {
  const database = openShared();
  const cached: string[] = [];
  let harness: IsolationHarness;
  let ann: As = {};
  let bob: As = {};
  before(async () => {
    [ann, bob] = await Promise.all([makeKey(database, "ann"), makeKey(database, "bob")]);
    harness = await serveAssistant(database, recordingCache(cached));
  });
  after(() => harness.stop());

  const read = async (as: As, path: string) => (await harness.send(as, "GET", path)).text;

  test("answers a question: classification, tools, text, sources and the sum, in this order", async () => {
    const frames = await harness.chat(ann, "price of KMB", SESSION);
    const at = ["classification", "tool_results", "content_start", "sources", "done"].map((type) =>
      frames.indexOf(`"type":"${type}"`),
    );
    assert.ok(
      at.every((place, index) => place > (at[index - 1] ?? -1)),
      frames,
    );
    assert.match(frames, /getStockQuote/);
    assert.match(frames, /"unverified":\[\]/);
    assert.match(cached.join(), /KMB/);
  });

  test("keeps what one user said from another user of the tenant with the same session id", async () => {
    await harness.chat(ann, `Remember that I like ${SECRET} dividends`, SESSION);
    const paths = ["/api/memory?limit=200", `/api/sessions/${SESSION}/messages`, "/api/runs?limit=100"];
    for (const path of paths) assert.match(await read(ann, path), new RegExp(SECRET), path);
    const answer = await harness.chat(bob, "what do you know about me?", SESSION);
    for (const text of [answer, ...(await Promise.all(paths.map((path) => read(bob, path))))]) {
      assert.doesNotMatch(text, new RegExp(`${SECRET}|KMB`));
    }
    assert.doesNotMatch(cached.join(), new RegExp(SECRET));
  });
});
