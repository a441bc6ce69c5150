import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLines, parsePage } from "./page.ts";

const FENCE = "```";

test("a page is read in its order: sections, commands, files, what is printed, and what is typed", () => {
  const page = `# Title
## 1. Ask
${FENCE}sh no-run
npx a
curl b \\
  -d c
${FENCE}
${FENCE}text output
Allow it?

id …
${FENCE}
Then type \`y\`. In another
terminal:
${FENCE}ts file
// x/tools.ts
export {};
${FENCE}
Go to the first terminal and press \`Ctrl-C\`.
${FENCE}json
{}
${FENCE}
`;
  assert.deepEqual(parsePage(page), [
    { type: "section", title: "1. Ask" },
    { type: "command", line: "npx a" },
    { type: "command", line: "curl b    -d c" },
    { type: "output", lines: ["Allow it?", "id …"] },
    { type: "keys", keys: "y\n", isControl: false },
    { type: "terminal", index: 1 },
    { type: "file", path: "x/tools.ts", text: "// x/tools.ts\nexport {};\n" },
    { type: "terminal", index: 0 },
    { type: "keys", keys: "\u0003", isControl: true },
  ]);
});

test("lines must be printed in their order, and … stands for any text within a line", () => {
  const printed = "run 1a2b\n● Ada\n  done in 12 ms · 3 calls\n";
  assert.ok(hasLines(printed, ["run …", "● Ada", "done in … ms · … calls"]));
  assert.ok(hasLines(printed, []));
  assert.ok(!hasLines(printed, ["● Ada", "run …"]));
  assert.ok(!hasLines(printed, ["● Ada", "● Ada"]));
  assert.ok(!hasLines(printed, ["done"]));
  assert.ok(!hasLines(printed, ["done in … s … calls … ms"]));
  assert.ok(!hasLines("aba\n", ["ab…ba"]));
});
