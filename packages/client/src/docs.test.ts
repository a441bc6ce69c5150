import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { RunEvent } from "@baton/core";
import { createClient } from "./client.ts";
import { type Choose, LogServer } from "./testing/log-server.ts";
import { STORY } from "./testing/story.ts";

const INDEX = pathToFileURL(join(import.meta.dirname, "index.ts")).href;
const markdown = await readFile(join(import.meta.dirname, "../../../docs/client.md"), "utf8");
const snippets = Array.from(markdown.matchAll(/^```ts[^\n]*\n([\s\S]*?)^```/gm), ([, text = ""]) => text);

const PRINTED = [
  /^data: 日本\n\nid: 7\ndone\n$/,
  /^paused {2}\[\]\n$/,
  /^Here it is\. ?\n\n$/,
  /^answered GetTime\n$/,
  /^\{ stopped: \[ 'a' \], finished: \[\], abandoned: \[\] \}\n$/,
  /^\[\]\n\[ \{ id: '1', event: 'message', data: 'hello' \} \]\n$/,
];

suite("docs/client.md", () => {
  snippets.forEach((snippet, index) => {
    test(`its snippet ${index + 1} prints what it promises`, async () => {
      const story = snippet.includes('"question.opened"') ? ASKING : STORY;
      await using server = await new LogServer(story, serve).listen();
      const text = snippet.replaceAll("@baton/client", INDEX).replaceAll("http://127.0.0.1:8080", server.url);
      assert.match(await run(text), PRINTED[index] ?? /a^/);
    });
  });

  test("it has as many snippets as are tried", () => assert.equal(snippets.length, PRINTED.length));

  test("it names every method of a client", () => {
    const methods = Object.keys(createClient({ url: "http://127.0.0.1:1" }));
    assert.ok(methods.length > 20, `${methods.length} methods`);
    const missing = methods.filter((name) => !new RegExp(`\\b${name}\\(|client\\.${name}\\b`).test(markdown));
    assert.deepEqual(missing, []);
  });
});

/** The same story, with a tool of the client in the place of its pause. */
const ASKING = STORY.map((event): RunEvent => {
  if (event.type !== "run.paused") return event;
  const { run: id, seq, at, lane } = event;
  const asked = { question: "1.1.1/tool", kind: "tool", agent: "a", text: "", tool: "GetTime", schema: {} } as const;
  return { run: id, seq, at, lane, type: "question.opened", ...asked };
});

/** A server with one run. */
const serve: Choose = ({ method, path }) => {
  if (path.endsWith("/events")) return { type: "stream", end: true };
  const started = { id: "r1", short_id: "req-1" };
  const receipt = { stopped: ["a"], finished: [], abandoned: [] };
  const body = JSON.stringify(path.endsWith("/commands") ? receipt : started);
  return { type: "answer", status: method === "POST" ? 200 : 404, body };
};

async function run(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "baton-client-"));
  try {
    const file = join(folder, "snippet.mts");
    await writeFile(file, text);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
