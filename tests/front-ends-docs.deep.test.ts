/** docs/front-ends.md: its programs print what a server says, its component fits the types of the AI SDK, its page runs. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { ExampleServer } from "./example-server.ts";
import { runSnippet } from "./snippet.ts";

const root = join(import.meta.dirname, "..");
const page = await readFile(join(root, "docs/front-ends.md"), "utf8");
const ADDRESS = "localhost:8080";

/** What `@ai-sdk/react` says `useChat` is, in the words of `ai`, which it is made of. */
const USE_CHAT = `declare module "@ai-sdk/react" {
  import type { AbstractChat, ChatInit, UIMessage } from "ai";
  type Parts = "sendMessage" | "stop" | "addToolOutput" | "addToolApprovalResponse" | "status" | "error" | "messages";
  export function useChat<M extends UIMessage = UIMessage>(options?: ChatInit<M>): Pick<AbstractChat<M>, Parts>;
}`;

/** How a compiler that found something ends. */
const Failed = z.object({ stdout: z.string() });

const OPTIONS = {
  strict: true,
  noEmit: true,
  jsx: "react-jsx",
  module: "preserve",
  target: "esnext",
  lib: ["esnext", "dom", "dom.iterable"],
  types: [],
  skipLibCheck: true,
};

test("the programs print what the crew says", async () => {
  // The page says so of customer-service: a question for the user, not for an operator.
  await using server = await ExampleServer.open((crew) => ({
    ...crew,
    permissions: new Map([...crew.permissions].map(([tool, rule]) => [tool, rule === "ask_operator" ? "ask" : rule])),
  }));
  const programs = blocksOf("ts no-run").map((text) => text.replaceAll(ADDRESS, server.address));
  assert.equal(programs.length, 4);
  const [route = "", agent = "", approving = "", client = ""] = programs;
  const asked = JSON.stringify({ id: "c", messages: [{ role: "user", parts: [{ type: "text", text: "Hi there" }] }] });
  const call = `const sent = new Request("http://x/", { method: "POST", body: ${JSON.stringify(asked)} });
    console.log(await (await POST(sent)).text());`;
  const passed = await runSnippet({ language: "ts", line: 1, text: `${route}\n${call}` });
  assert.match(passed.output, /"type":"text-delta".*\[DONE\]/s);
  const told = await runSnippet({ language: "ts", line: 1, text: agent });
  assert.match(told.output, /^Hello, and welcome!/);
  const approved = await runSnippet({ language: "ts", line: 1, text: approving });
  const answered = await runSnippet({ language: "ts", line: 1, text: client });
  for (const { output } of [approved, answered]) {
    assert.match(output, /Ravi wants to use IssueRefund.*We have refunded the 39 USD/s);
  }
  assert.deepEqual(
    [passed, told, approved, answered].map(({ exitCode }) => exitCode),
    [0, 0, 0, 0],
  );
});

test("the component fits the types of React and the AI SDK, and a wrong one would not", async () => {
  const [component = ""] = blocksOf("tsx");
  assert.equal(await typeProblems(component), "");
  assert.match(await typeProblems(component.replaceAll("part.toolName", "part.toolTitle")), /toolTitle/);
});

test("the page without a library shows the answer", async () => {
  await using server = await ExampleServer.open();
  const [html = ""] = blocksOf("html");
  const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? "";
  const text = `const out = { textContent: "" };${script.replaceAll(ADDRESS, server.address)}
    const { close } = source;
    source.close = () => { close.call(source); console.log(out.textContent); };`;
  const args = ["--experimental-eventsource", "--input-type=module", "-e", text];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.match(stdout, /^Hello, and welcome!/);
});

/** The blocks with this language and these words after it. */
function blocksOf(info: string): readonly string[] {
  return Array.from(page.matchAll(/^```([^\n]*)\n(.*?)^```$/gms), ([, found, text = ""]) => [found, text] as const)
    .filter(([found]) => found === info)
    .map(([, text]) => text);
}

/** What the compiler finds wrong with a file; nothing if it is right. */
async function typeProblems(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "baton-front-ends-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "chat.tsx"), text);
    await writeFile(join(folder, "shim.d.ts"), USE_CHAT);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: OPTIONS, include: ["*.tsx", "*.d.ts"] }),
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error: unknown) =>
      Failed.parse(error),
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
