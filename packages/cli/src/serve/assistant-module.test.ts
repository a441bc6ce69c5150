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

const GUARDED = `export default {
  check: ({ host, isLoopback }: { host: string; isLoopback: boolean }) => {
    if (!isLoopback) throw new Error(\`for this machine alone, not for \${host}\`);
  },
};
`;

test("an assistant may refuse an address before the server listens, however the address was given", async () => {
  const files = {
    "crew/crew.yaml": toCrew("one"),
    "crew/script.yaml": SCRIPT,
    "crew/assistant.ts": GUARDED,
    "open.yaml": 'host: "::"\n',
  };
  await inFolder(files, async (cwd) => {
    const refused = /the assistant in crew refused to start: for this machine alone, not for (?:0\.0\.0\.0|::)/;
    const ways = [
      baton(["serve", "crew", "--host", "0.0.0.0", "--port", "0"], { cwd }),
      baton(["serve", "crew", "--port", "0"], { cwd, env: { BATON_HOST: "0.0.0.0" } }),
      baton(["serve", "crew", "--port", "0", "--config", "open.yaml"], { cwd }),
    ];
    for (const { stderr, exitCode } of await Promise.all(ways)) {
      assert.match(stderr, refused);
      assert.equal(exitCode, 2);
    }
    await using server = await Served.start(["crew"], { cwd });
    assert.equal((await server.get("/health")).status, 200);
  });
});

const toChat = (disclaimer: string) => `import { defineAssistant } from "@baton/assistant/chat";

export default defineAssistant({ disclaimer: { en: "${disclaimer}" } });
`;

test("several chat assistants are served at once: the request names one, and else the first answers", async () => {
  const files = {
    "crews/first/crew.yaml": toCrew("one"),
    "crews/first/script.yaml": SCRIPT,
    "crews/first/assistant.ts": toChat("of the first"),
    "crews/second/crew.yaml": toCrew("two"),
    "crews/second/script.yaml": SCRIPT,
    "crews/second/assistant.ts": toChat("of the second"),
  };
  await inFolder(files, async (cwd) => {
    await using server = await Served.start(["crews"], { cwd });
    for (const [asked, word] of [
      [{}, "first"],
      [{ crew: "first" }, "first"],
      [{ crew: "second" }, "second"],
      [{ crew: "two" }, "second"],
    ] as const) {
      const answer = await fetch(`${server.url}/api/v2/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ question_input: "hello", ...asked }),
      });
      const text = await answer.text();
      assert.ok(text.includes(`"disclaimer":"of the ${word}"`), text);
      assert.ok(text.endsWith("data: [DONE]\n\n"));
      const run = answer.headers.get("x-run-id");
      assert.match(await (await server.get(`/api/runs/${run}`)).text(), new RegExp(`"crew":"${word}"`));
      const again = await (await server.get(`/api/runs/${run}/events?dialect=chat`)).text();
      assert.ok(again.includes(`of the ${word}`), again);
    }
    assert.equal((await server.stop()).exitCode, 0);
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
