/** docs/chat.md: its examples give the answers it shows, asked of what `npm start` starts; its tables are whole. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { z } from "zod";
import { type Curl, fetchCurl, hasCurl, shellCurl } from "./curl.ts";
import { assertAnswer, toExamples } from "./http-example.ts";

const root = join(import.meta.dirname, "..");
const page = await readFile(join(root, "docs/chat.md"), "utf8");
const examples = toExamples(page).filter(({ language }) => language === "sh");

test("every example of the page shows its answer", () => {
  assert.ok(examples.length >= 5, `${examples.length} examples`);
  assert.deepEqual(
    examples.filter(({ shown }) => shown === undefined),
    [],
  );
});

suite("npm start", () => {
  let folder = "";
  let child: ChildProcess | undefined;
  let address = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "baton-chat-docs-"));
    const { PATH = "" } = process.env;
    const args = ["--silent", "start", "--", "--port", "0", "--data", folder, "--log-level", "silent"];
    const env = { PATH: `${join(process.execPath, "..")}:${PATH}`, HOME: folder };
    const started = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
    child = started;
    const said = String(await Promise.race([once(started.stdout, "data"), once(started, "exit")]));
    address = /^listening on http:\/\/(\S+)/.exec(said)?.[1] ?? "";
    assert.notEqual(address, "", said);
  });

  after(async () => {
    if (child?.pid !== undefined && child.exitCode === null) {
      const ended = once(child, "exit");
      process.kill(-child.pid, "SIGTERM");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });

  test("serves the finance assistant first, and the example crews beside it", async () => {
    const answer = await fetch(`http://${address}/api/crews`);
    const { crews } = z.object({ crews: z.array(z.object({ name: z.string() })) }).parse(await answer.json());
    const names = crews.map(({ name }) => name);
    assert.equal(names[0], "finance");
    assert.ok(names.includes("hello"));
  });

  const clients: readonly { readonly name: string; readonly curl: Curl; readonly skip: boolean }[] = [
    { name: "curl", curl: shellCurl, skip: !hasCurl() },
    { name: "what its options mean", curl: fetchCurl, skip: false },
  ];

  for (const { name, curl, skip } of clients) {
    test(`every example gives the answer that is shown, by ${name}`, { skip }, async () => {
      let run = "";
      for (const { text, shown = "", line } of examples) {
        const command = text.replaceAll("localhost:8080", address).replaceAll("first-talk", `first-talk-${curl.name}`);
        const answer = await curl(command, { RUN: run });
        run = answer.headers.get("X-Run-Id") ?? run;
        assertAnswer(answer, shown, `docs/chat.md:${line}`);
      }
    });
  }
});

test("the table of frames has every type of the dialect, and no other", async () => {
  const source = await readFile(join(root, "packages/assistant/src/chat/chat-frame.ts"), "utf8");
  const types = Array.from(source.matchAll(/readonly type: "(\w+)"/g), ([, type]) => type);
  const rows = page.slice(page.indexOf("## The frames"), page.indexOf("`done.data` has"));
  const told = Array.from(rows.matchAll(/^\| `(\w+)` \| [^|]*\|/gm), ([, type]) => type);
  assert.deepEqual(new Set(told), new Set(types));
  assert.ok(types.length > 15, `${types.length} types`);
});

test("the table of fields has every field of a request, and no other", async () => {
  const source = await readFile(join(root, "packages/assistant/src/chat/chat-body.ts"), "utf8");
  const schema = source.slice(source.indexOf(".object({"), source.indexOf(".superRefine"));
  const fields = Array.from(schema.matchAll(/^ {6}(\w+): /gm), ([, name]) => name);
  const rows = page.slice(page.indexOf("## The request"), page.indexOf("## The frames"));
  const told = Array.from(rows.matchAll(/^\| (`[^|]+) \|/gm), ([, names = ""]) => names.matchAll(/`(\w+)`/g));
  const names = told.flatMap((found) => Array.from(found, ([, name]) => name));
  assert.deepEqual(new Set(names), new Set(fields));
});
