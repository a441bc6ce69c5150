import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";
import { loadAssistant } from "./assistant-module.ts";

const toCrew = (name: string) => `version: "1.0"
name: ${name}
agents: [{ id: a, name: Ada, role: works, is_terminal: true }]
`;

const SCRIPT = `a:
  - { say: "All done." }
`;

const ASSISTANT = `import type { Dialect, RouteMount } from "@baton/server/mount";
import { appendFileSync } from "node:fs";
import { z } from "zod";

const BODY = z.object({ question: z.string() });

const ask: RouteMount<z.ZodType, typeof BODY> = {
  method: "post",
  path: "/api/ask",
  summary: "Ask",
  scope: "run",
  body: BODY,
  answers: { 200: { description: "What it says", type: "text/event-stream" } },
  handle: ({ body, ask }) => ask({ input: body.question }, { dialect: "plain" }),
};

const plain: Dialect<undefined> = {
  name: "plain",
  start: () => undefined,
  next: (state, event) => [state, event.type === "turn.ended" ? [{ id: String(event.seq), data: event.text }] : []],
};

export default { routes: [ask], dialects: [plain], onShutdown: () => appendFileSync("end.txt", "ended") };
`;

test("a server has the routes and dialects that the assistant.ts of a crew's folder gives", async () => {
  const files = {
    "crews/first/crew.yaml": toCrew("first"),
    "crews/first/script.yaml": SCRIPT,
    "crews/second/crew.yaml": toCrew("second"),
    "crews/second/script.yaml": SCRIPT,
    "crews/second/assistant.ts": ASSISTANT,
  };
  await inFolder(files, async (cwd) => {
    await using server = await Served.start(["crews"], { cwd });
    const answer = await fetch(`${server.url}/api/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question: "hello" }),
    });
    assert.match(await answer.text(), /\ndata: All done\.\n/);
    const run = answer.headers.get("x-run-id");
    assert.match(await (await server.get(`/api/runs/${run}`)).text(), /"crew":"second"/, "the crew of the folder");
    assert.match(await (await server.get(`/api/runs/${run}/events?dialect=plain`)).text(), /All done/);
    assert.match(await (await server.get("/openapi.json")).text(), /"\/api\/ask"/);
    assert.equal((await server.stop()).exitCode, 0);
    assert.equal(await readFile(join(cwd, "end.txt"), "utf8"), "ended");
  });
});

const WRONG = {
  "export const routes = [];": "the default export is not an object",
  "export default [];": "the default export is not an object",
  "export default { route: [] };": "has an unknown field `route`; it may have routes, dialects, onShutdown",
  "export default { routes: {} };": "`routes` and `dialects` must be lists",
  "export default { onShutdown: 1 };": "`onShutdown` is not a function",
  "export default { routes: [1] };": "`routes[0]` is not a route",
  'export default { routes: [{ method: "fetch" }] };': "`routes[0]` needs a `method`: get, post, put, delete",
  'export default { routes: [{ method: "get" }] };': "`routes[0]` needs a `path`",
  'export default { routes: [{ method: "get", path: "/a", summary: "A", scope: "all" }] };':
    "`routes[0]` needs a `scope`: run, read, approve, admin",
  'export default { routes: [{ method: "get", path: "/a", summary: "A", scope: "read", answers: { 200: {} }, handle() {}, query: {} }] };':
    "`routes[0]` has a `query` that is not a schema of zod",
  "export default { dialects: [{}] };": "`dialects[0]` needs a `name`",
  'export default { dialects: [{ name: "a", start() {} }] };': "`dialects[0]` needs a function `next`",
  'throw new Error("no database");': "no database; fix it and try again",
} as const;

test("an assistant.ts that cannot be mounted is refused with what is wrong in it", async () => {
  const entries = Object.entries(WRONG);
  const files = entries.map(([text], index) => [`${index}/assistant.ts`, text] as const);
  await inFolder(Object.fromEntries(files), async (cwd) => {
    for (const [index, [, problem]] of entries.entries()) {
      const path = join(cwd, `${index}`);
      await assert.rejects(loadAssistant(path), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.startsWith(join(path, "assistant.ts")), error.message);
        assert.ok(error.message.includes(problem), error.message);
        return true;
      });
    }
    assert.equal(await loadAssistant(cwd), undefined);
  });
});

test("a server with an assistant.ts that is wrong does not start", async () => {
  const files = {
    "desk/crew.yaml": toCrew("desk"),
    "desk/script.yaml": SCRIPT,
    "desk/assistant.ts": "export default 1;",
  };
  await inFolder(files, async (cwd) => {
    const { exitCode, stderr } = await baton(["serve", "desk", "--port", "0"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stderr, /desk\/assistant\.ts: the default export is not an object/);
  });
});
