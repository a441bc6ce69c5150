/** docs/http.md: its examples give the answers it shows; its tables, and that of docs/events.md, are whole. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { SCOPES } from "@baton/server";
import { z } from "zod";
import { type Curl, fetchCurl, hasCurl, shellCurl } from "./curl.ts";
import { ExampleServer } from "./example-server.ts";
import { assertAnswer, assertShown, type Example, toExamples } from "./http-example.ts";
import { runSnippet } from "./snippet.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/http.md");

/** Of the server in the examples. */
const ADDRESS = "localhost:8080";

const KEYS = /^[A-Z]+=\$\(npx baton keys create/;
const KEY_LINE = /^([A-Z]+)=\$\(npx baton keys create --tenant (\w+) --user (\w+) --scopes ([\w,]+)\)$/;
const examples = toExamples(page);
const OpenApi = z.object({ paths: z.record(z.string(), z.unknown()) });

test("every example of the page shows its answer", () => {
  assert.ok(examples.length > 40, `${examples.length} examples`);
  const bare = examples.filter(({ text, shown }) => shown === undefined && !KEYS.test(text));
  assert.deepEqual(bare, []);
});

test("every route of /openapi.json is in the first table of the page", async () => {
  await using server = await ExampleServer.open();
  const answer = await fetch(`http://${server.address}/openapi.json`);
  const { paths } = OpenApi.parse(await answer.json());
  const table = between(page, "\n| to …", "\n\n");
  const named = new Set(Array.from(table.matchAll(/(\/[\w/:.-]+)`/g), ([, path]) => path));
  const missing = Object.keys(paths).filter((path) => !named.has(path.replaceAll(/\{(\w+)\}/g, ":$1")));
  assert.deepEqual(missing, []);
});

const clients: readonly { readonly name: string; readonly curl: Curl; readonly skip: boolean }[] = [
  { name: "curl", curl: shellCurl, skip: !hasCurl() },
  { name: "what its options mean", curl: fetchCurl, skip: false },
];

for (const { name, curl, skip } of clients) {
  test(`every example gives the answer that is shown, by ${name}`, { skip }, async () => {
    await using server = await ExampleServer.open();
    const variables = new Map<string, string>();
    for (const example of examples) await tryExample(example, { server, curl, variables });
  });
}

interface Trying {
  readonly server: ExampleServer;
  readonly curl: Curl;
  /** What earlier answers have named. */
  readonly variables: Map<string, string>;
}

async function tryExample({ language, line, text, shown = "" }: Example, trying: Trying): Promise<void> {
  const { server, curl, variables } = trying;
  const command = text.replaceAll(ADDRESS, server.address);
  const where = `docs/http.md:${line}`;
  if (language === "ts") {
    const { exitCode, output } = await runSnippet({ language, line, text: command });
    assert.equal(exitCode, 0, `${where}: ${output}`);
    assertShown(output, shown, where);
  } else if (KEYS.test(command)) await createKeys(trying, command);
  else {
    const answer = await curl(command, Object.fromEntries(variables));
    if (command.includes("/commands")) await untilQuiet(server.address);
    const run = answer.headers.get("X-Run-Id");
    if (run !== null) variables.set("RUN", run);
    const filled = shown.replaceAll("$RUN", variables.get("RUN") ?? "");
    assertAnswer(answer, filled, where);
  }
}

/** Sessions are listed by their last use: the runs of the examples before have ended. */
async function untilQuiet(address: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://${address}/api/runs?status=running`);
    if (!answer.ok || !(await answer.text()).includes('"status":"running"')) return;
    await setTimeout(5);
  }
}

/** `KEY=$(npx baton keys create --tenant acme --user ann --scopes run,read)`, one a line. */
async function createKeys({ server, variables }: Trying, command: string): Promise<void> {
  for (const line of command.trim().split("\n")) {
    const [, name = "", tenant = "", user = "", list = ""] = KEY_LINE.exec(line) ?? [];
    const names = list.split(",");
    const scopes = SCOPES.filter((scope) => names.includes(scope));
    variables.set(name, await server.createKey(tenant, scopes, user));
  }
}

suite("the tables", () => {
  test("events: every type of the engine's log with its fields, and no other", () => {
    const rows = rowsUnder("# Events", read("docs/events.md")).map(([type = "", fields = ""]) => [
      namesIn(type)[0],
      namesIn(fields),
    ]);
    assert.deepEqual(rows, [...factsOf(read("packages/core/src/words/event.ts"))]);
  });

  test("errors: every code of the server with its status, and no other", () => {
    const source = between(read("packages/server/src/gateway/problem.ts"), "const STATUS = {", "}");
    const codes = Array.from(source.matchAll(/^ {2}(\w+): (\d+),$/gm), ([, code, status]) => [code, status]);
    assert.ok(codes.length > 30, `${codes.length} codes`);
    assert.deepEqual(
      rowsUnder("## Errors").map(([code = "", status]) => [namesIn(code)[0], status]),
      codes,
    );
  });

  test("scopes: those a key can have", () => {
    const scopes = rowsUnder("## Keys").map(([scope = ""]) => namesIn(scope)[0]);
    assert.deepEqual(scopes, SCOPES);
  });
});

/** The types of facts and the names of their fields, in their order. */
function factsOf(source: string): ReadonlyMap<string, readonly string[]> {
  const facts = between(source.replaceAll(/\/\*\*[\s\S]*?\*\//g, ""), "interface Facts {", "\n}");
  const found = facts.matchAll(/^ {2}"([a-z.]+)": \{([^\n]+|.*?^ {2})\};$/gms);
  return new Map(Array.from(found, ([, type = "", body = ""]) => [type, fieldsOf(body)]));
}

/** Names before a colon, but not of what is inside of a field. */
function fieldsOf(body: string): readonly string[] {
  const flat = body.replaceAll(/\{[^}]*\}/g, "");
  return Array.from(flat.matchAll(/(\w+)\??: /g), ([, name = ""]) => name);
}

/** The cells of the last table under a heading, before the next of its rank. */
function rowsUnder(heading: string, text = page): readonly (readonly string[])[] {
  const section = between(`\n${text}\n## `, `\n${heading}\n`, "\n## ");
  const table = section.split("\n").filter((line) => line.startsWith("| "));
  return table.slice(1).map((line) => line.slice(2, -2).split(" | "));
}

/** What is in backticks. */
function namesIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is gone`);
  return text.slice(from + start.length, text.indexOf(end, from + start.length));
}
