import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { defineCrew, Engine, scriptModel } from "@baton/core";
import { z } from "zod";
import { a2aTools } from "./partner-tools.ts";

const BODY = z.object({ method: z.string(), params: z.looseObject({ message: z.looseObject({}).optional() }) });
type Answers = readonly object[];

/** An agent that gives these results in turn. */
async function startPartner(results: Answers, card?: (url: string) => object) {
  const seen: z.output<typeof BODY>[] = [];
  const left = [...results];
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.writeHead(card === undefined ? 404 : 200).end(JSON.stringify(card?.(url)));
      return;
    }
    assert.equal(request.headers.authorization, "Bearer secret");
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      seen.push(BODY.parse(JSON.parse(body)));
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...left.shift() }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { url, seen, [Symbol.dispose]: () => server.close() };
}

/** Runs a crew that asks the partner once; whoever is asked answers `blue`. */
async function ask(url: string) {
  const crew = defineCrew({
    name: "asker",
    agents: [{ id: "host", isTerminal: true, tools: ["partner__ask"] }],
    tools: a2aTools({ partner: { url, effect: "idempotent", token: "secret" } }),
    settings: { retryMinMs: 0, retryMaxMs: 0 },
  });
  const call = { tool: "partner__ask", args: { message: "Paint it" } };
  await using engine = new Engine({ model: () => scriptModel({ host: [{ call: [call] }, { say: "Done." }] }) });
  let run = engine.start(crew, { input: "x" });
  const asked: string[] = [];
  for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
    const [{ question, text } = { question: "", text: "" }] = result.questions;
    asked.push(text);
    ({ run } = await run.command({ type: "answer", question, value: "blue" }));
  }
  const events = await Array.fromAsync(run.events());
  const ended = events.find((event) => event.type === "call.ended");
  return { asked, ended: ended?.error ?? ended?.output };
}

const task = (state: string, more: object = {}) => ({ id: "t1", contextId: "c1", status: { state, ...more } });
const said = (text: string) => ({ message: { parts: [{ text }] } });

test("a task of another agent is waited for, its question is asked, and its artifact is the output", async () => {
  using partner = await startPartner(
    [
      { result: { task: task("TASK_STATE_WORKING") } },
      { result: task("TASK_STATE_INPUT_REQUIRED", said("Which colour?")) },
      {
        result: {
          task: { ...task("TASK_STATE_COMPLETED"), artifacts: [{ artifactId: "a", parts: [{ text: "It is blue." }] }] },
        },
      },
    ],
    (url) => ({ supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }] }),
  );
  assert.deepEqual(await ask(partner.url), { asked: ["Which colour?"], ended: "It is blue." });
  assert.deepEqual(
    partner.seen.map(({ method }) => method),
    ["SendMessage", "GetTask", "SendMessage"],
  );
  assert.partialDeepStrictEqual(partner.seen[2]?.params.message, { taskId: "t1", contextId: "c1" });
});

test("an agent that answers at once, refuses, or leads to another origin", async () => {
  const data = { message: { messageId: "m", parts: [{ data: { price: 7 } }] } };
  using quick = await startPartner([{ result: data }]);
  assert.deepEqual((await ask(quick.url)).ended, { price: 7 });
  using refusing = await startPartner([{ error: { code: -32_602, message: "no" } }]);
  assert.partialDeepStrictEqual((await ask(refusing.url)).ended, { kind: "permanent", message: "partner: no" });
  using leading = await startPartner([], () => ({
    supportedInterfaces: [{ url: "https://evil.example.com/", protocolBinding: "JSONRPC" }],
  }));
  assert.partialDeepStrictEqual((await ask(leading.url)).ended, { kind: "permanent" });
  let closed: string;
  {
    using partner = await startPartner([]);
    closed = partner.url;
  }
  assert.partialDeepStrictEqual((await ask(closed)).ended, { kind: "unavailable" });
});
