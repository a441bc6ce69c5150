import assert from "node:assert/strict";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const toCrew = (name: string) => `version: "1.0"
name: ${name}
agents: [{ id: a, name: Ada, role: works, is_terminal: true }]
`;

const SCRIPT = `a:
  - { say: "All done." }
`;

const GUARDED = `export default {
  check: ({ host, isLoopback }: { host: string; isLoopback: boolean }) => {
    if (!isLoopback) throw new Error(\`for this machine alone, not for \${host}\`);
  },
};
`;

const toChat = (disclaimer: string) => `import { defineAssistant } from "@baton/assistant/chat";

export default defineAssistant({ disclaimer: { en: "${disclaimer}" } });
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
