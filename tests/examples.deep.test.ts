import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { runSnippet, type Snippet, snippetsOf } from "./snippet.ts";

const root = join(import.meta.dirname, "..");

/** Its steps build on each other: tests/start-docs.deep.test.ts follows them. */
const TUTORIAL = "docs/start.md";
const pages = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root }).filter(
  (page) => page !== TUTORIAL,
);

const examples = pages
  .toSorted()
  .flatMap((page) => snippetsOf(readFileSync(join(root, page), "utf8")).map((snippet) => ({ page, snippet })));
const [front, others] = [examples.filter(isOfReadme), examples.filter((example) => !isOfReadme(example))];

for (const { page, snippet } of [...front, ...inSlice(others)]) {
  test(`the example at ${page}:${snippet.line} runs`, async () => {
    const { exitCode, output } = await runSnippet(snippet);
    assert.equal(exitCode, 0, `${snippet.text}\n${output}`);
    for (const shown of promisesOf(snippet)) assert.ok(output.includes(shown), `not printed: ${shown}\n${output}`);
  });
}

test("what a comment behind a console.log shows is what the example must print; an explanation follows a colon", () => {
  const text = "console.log(a); // 12\nconsole.log(b.c); // conflict: somebody was faster\nf(); // never\n";
  assert.deepEqual(promisesOf({ language: "ts", line: 1, text }), ["12", "conflict"]);
});

test("examples are the TypeScript blocks and the baton and node commands of a page, but those marked no-run", () => {
  const page = [
    ["```ts", "one;", "```"],
    ["1. Do this:", "   ```sh", "   npx baton check crews/hello", "   npx baton list", "   ```"],
    ["```ts no-run", "two;", "```", "```sh", "npm ci", "```", "```json", "{}", "```"],
  ].flat();
  assert.deepEqual(snippetsOf(page.join("\n")), [
    { language: "ts", line: 1, text: "one;\n" },
    { language: "sh", line: 5, text: "npx baton check crews/hello\nnpx baton list\n" },
  ]);
});

test("blocks marked as files are written for the examples below them, up to the next section", async () => {
  const page = [
    ["## One", "```yaml file", "# a/b.yaml", "one: 1", "```", "```sh", "npx node -p 1", "cat a/b.yaml", "```"],
    ["## Two", "```sh", "npx node -p 2", "```"],
  ].flat();
  const [first, second] = snippetsOf(page.join("\n"));
  assert.ok(first !== undefined);
  assert.deepEqual(first.files, [{ path: "a/b.yaml", text: "# a/b.yaml\none: 1\n" }]);
  assert.deepEqual(await runSnippet(first), { exitCode: 0, output: "1\n# a/b.yaml\none: 1\n" });
  assert.equal(second?.files, undefined);
  assert.throws(() => snippetsOf("```yaml file\none: 1\n```\n```ts\na;\n```\n"), /needs its name/);
});

test("an example of TypeScript can import the packages, and what it prints is kept", async () => {
  const text = 'import { z } from "zod";\nconst word: string = z.string().parse("pass");\nconsole.log(word);\n';
  assert.deepEqual(await runSnippet({ language: "ts", line: 1, text }), { exitCode: 0, output: "pass\n" });
});

test("an example that throws is seen to fail, with what it printed", async () => {
  const { exitCode, output } = await runSnippet({ language: "ts", line: 1, text: 'throw new Error("dropped");' });
  assert.equal(exitCode, 1);
  assert.match(output, /dropped/);
});

test("an example of shell stops at the first command that fails, and runs on the pinned Node", async () => {
  const text = "npx node -p process.version\nfalse\necho unreachable\n";
  const { exitCode, output } = await runSnippet({ language: "sh", line: 1, text });
  assert.equal(exitCode, 1);
  assert.equal(output, `${process.version}\n`);
});

// The sleeper holds the output open: this settles only because it was ended, or after the time a snippet may take.
test("what an example leaves running is ended with it", { timeout: 30_000 }, async () => {
  const result = await runSnippet({ language: "sh", line: 1, text: "sleep 600 & echo started" });
  assert.deepEqual(result, { exitCode: 0, output: "started\n" });
});

/** The README's examples are what everybody tries first, so they are in every slice. */
function isOfReadme({ page }: { readonly page: string }): boolean {
  return page === "README.md";
}

/** What the comments behind calls of `console.log` show. */
function promisesOf({ language, text }: Snippet): readonly string[] {
  const shown = language === "ts" ? text.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm) : [];
  return Array.from(shown, ([, comment = ""]) => (/[{[]/.test(comment) ? comment : (comment.split(": ")[0] ?? "")));
}
