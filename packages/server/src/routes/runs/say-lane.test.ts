import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer } from "../../testing/test-server.ts";

test("a message to a lane is heard there alone, stored, and replayed; a lane that does not run is 404", async () => {
  const gates: (() => void)[] = [];
  const inside = Promise.withResolvers<undefined>();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    effect: "read",
    input: z.object({}),
    run: () =>
      new Promise((resolve) => {
        if (gates.push(() => resolve("let go")) === 2) inside.resolve(undefined);
      }),
  });
  const crew = defineCrew({
    name: "team",
    entry: "both",
    tools: [wait],
    agents: [
      { id: "a", tools: ["wait"] },
      { id: "b", tools: ["wait"] },
      { id: "end", isTerminal: true },
    ],
    groups: { both: { agents: ["a", "b"], nextAgent: "end" } },
  });
  const member = [{ call: [{ tool: "wait", args: {} }] }, { when: "for you", say: "Heard." }, { say: "Nothing." }];
  await using server = await startTestServer([{ crew, script: { a: member, b: member, end: [{ say: "End." }] } }]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "go", session_id: "one" }));
  await inside.promise;
  const say = (lane: string) => server.post(`/api/runs/${id}/commands`, { type: "say", text: "for you", lane });
  const refused = await say("1/both/nobody");
  assert.deepEqual([refused.status, (await sentOf(refused)).code], [404, "not_found"]);
  assert.equal((await say("1/both/b")).status, 202);
  for (const go of gates) go();
  const log = await (await server.get(`/api/runs/${id}/events`)).text();
  assert.match(log, /"lane":"1\/both\/b","type":"command.received"/);
  const { content } = z
    .object({ result: z.object({ content: z.string() }) })
    .parse(await (await server.get(`/api/runs/${id}`)).json()).result;
  assert.equal(content, "End.");
  const messages = await (await server.get("/api/sessions/one/messages")).text();
  assert.doesNotMatch(messages, /for you/);
  assert.match(messages, /\[a\] Nothing\.[\\n]+\[b\] Heard\./);
  const replayed = await server.post(`/api/runs/${id}/replay`, {});
  assert.partialDeepStrictEqual(await sentOf(replayed), { identical: true });
});
