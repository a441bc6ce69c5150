/** Servers share limits in Redis, search by meaning, and continue if these services fail. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { REDIS, startTestRedis } from "@baton/store/redis/testing";
import { QdrantServer } from "@baton/store/semantic/testing";
import { z } from "zod";
import { inFolder } from "../../testing/command.ts";
import { Served } from "../../testing/served.ts";
import { SHOP } from "../../testing/shop.ts";

/** A crew whose tools store documents and search them. */
const MEMO = {
  "memo/crew.yaml": `version: "1.0"
name: memo
agents: [{ id: a, name: Ada, role: works, is_terminal: true, tools: [Keep, Find] }]
`,
  "memo/script.yaml": `a:
  - { when: keep, call: [{ tool: Keep, args: {} }] }
  - { when: find, call: [{ tool: Find, args: {} }] }
  - { say: "All done." }
`,
  "memo/tools.ts": `import { defineTool } from "@baton/core";
import { z } from "zod";

export default [
  defineTool({
    name: "Keep",
    description: "k",
    effect: "idempotent",
    input: z.object({}),
    run: async (_, { documents }) => {
      await documents.putAll("notes", [
        { id: "same", data: 1, text: "an automobile" },
        { id: "other", data: 1, text: "a puppy" },
      ]);
      return "kept";
    },
  }),
  defineTool({
    name: "Find",
    description: "f",
    effect: "read",
    input: z.object({}),
    run: async (_, { documents }) => {
      const found = await documents.search("notes", { text: "car" });
      const ids = found.map(({ id }) => id).join(",");
      return "found=" + ids + " redis=" + (process.env.BATON_REDIS ?? "");
    },
  }),
];
`,
};

const LIMITED = ["--rate-limit", "global=3"];

/** An Ollama for which a car is an automobile. */
async function startOllama() {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { input } = Asked.parse(JSON.parse(Buffer.concat(parts).toString()));
      const embeddings = input.map((text) => (text.includes("car") || text.includes("automobile") ? [1, 0.1] : [0, 1]));
      response.writeHead(request.url === "/api/embed" ? 200 : 404).end(JSON.stringify({ embeddings }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

const Asked = z.object({ model: z.literal("m"), input: z.array(z.string()) });

test(`${REDIS}: two servers have one limit; without Redis each has its own, and the log says so once`, async () => {
  await using redis = await startTestRedis();
  await inFolder(SHOP, async (cwd) => {
    const args = ["shop", ...LIMITED, "--redis", redis.url];
    await using first = await Served.start([...args, "--data", "one"], { cwd });
    await using second = await Served.start([...args, "--data", "two"], { cwd });
    const statuses: number[] = [];
    for (const server of [first, second, first, second, first]) statuses.push((await server.get("/api/crews")).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    await redis.stop();
    for (const server of [first, second]) {
      const answers: number[] = [];
      for (let count = 0; count < 4; count++) answers.push((await server.get("/api/crews")).status);
      assert.deepEqual(answers, [200, 200, 200, 429]);
    }
    const { exitCode, stderr } = await first.stop();
    assert.equal(exitCode, 0);
    const warnings = stderr.split("\n").filter((line) => line.includes("--redis"));
    assert.equal(warnings.length, 1, stderr);
    assert.match(warnings[0] ?? "", /this server counts only its own requests/);
  });
});

test(`${REDIS}: crews know the Redis, texts are found by meaning, and Qdrant has their vectors`, async () => {
  await using redis = await startTestRedis();
  await using ollama = await startOllama();
  await using qdrant = await QdrantServer.start("open-sesame");
  await inFolder(MEMO, async (cwd) => {
    const env = { OLLAMA_HOST: ollama.url, QDRANT_API_KEY: "open-sesame", BATON_SCRIPT: "memo/script.yaml" };
    const start = (name: string) => {
      const own = ["--data", name, "--qdrant", `${qdrant.url}?prefix=${name}`];
      return Served.start(["memo", "--redis", redis.url, "--embeddings", "ollama/m", ...own], { cwd, env });
    };
    await using first = await start("one");
    await first.run({ input: "keep" }, { wait: true });
    const own = await first.events((await first.run({ input: "find" }, { wait: true })).id);
    assert.ok(own.includes(`found=same redis=${redis.url}`), own);
    assert.equal(qdrant.points.length, 2);
    assert.ok(qdrant.asked.some((one) => one.endsWith("/points/query")));
    assert.deepEqual(qdrant.problems, []);
    qdrant.mood = "500";
    await redis.stop();
    const alone = await first.events((await first.run({ input: "find" }, { wait: true })).id);
    assert.ok(alone.includes("found=same"), alone);
    const { exitCode, stderr } = await first.stop();
    assert.equal(exitCode, 0);
    assert.equal(stderr.split("\n").filter((line) => line.includes("--qdrant")).length, 1, stderr);
    assert.ok(!stderr.includes("open-sesame"));
  });
});
