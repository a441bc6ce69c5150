import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { inSlice, toolContext } from "@baton/core/testing";
import { openTrial } from "../testing/sandboxed-call.ts";
import { processLevel } from "./process-level.ts";

const trial = await openTrial();
after(() => trial[Symbol.asyncDispose]());
const skip = trial.missing === undefined ? false : `isolation: process is missing here: ${trial.missing}`;

/** The beginning of a tool's file. */
const CORE = JSON.stringify(import.meta.resolve("@baton/core"));
const HEAD = `import { defineTool } from ${CORE};
import { writeSync } from "node:fs";
const tool = (run) => [defineTool({ name: "t", description: "d", effect: "read",
  input: { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) }, run })];
const lie = (text) => writeSync(3, text + "\\n");
`;

const RUNS: readonly (readonly [what: string, run: string, expected: RegExp])[] = [
  ["returns", "(input) => ({ input })", /^output \{"input":\{"a":1\}\}/],
  ["has its key", "(_, { key }) => key", /^output "run\/1\.1\.1"/],
  ["throws a kind", "() => { throw Object.assign(new Error('no'), { kind: 'permission' }) }", /^permission: no/],
  ["throws a bug", "() => null.x", /^crash: /],
  ["exits", "() => process.exit(0)", /^crash: /],
  ["never answers", "() => { setTimeout(() => process.exit(3), 100); return new Promise(() => {}) }", /^crash: /],
  ["uses documents", "(_, { documents }) => documents.get('x')", /no documents/],
  ["sends what is no JSON", "() => { lie('{'); return 1 }", /^crash: .*not a message/],
  [
    "sends a kind that is none",
    '() => { lie(\'{"type":"failed","kind":"cancelled","message":"x"}\'); return 1 }',
    /^\w+: x/,
  ],
  ["sends another type", '() => { lie(\'{"type":"__proto__"}\'); return 1 }', /^crash: /],
  ["answers twice", '() => { lie(\'{"type":"done","output":1}\'); return 2 }', /^output 1/],
  ["floods descriptor 3", "() => { for (;;) lie('x'.repeat(10000)) }", /^(permanent|crash): /],
  ["sends a line without end", "() => { for (;;) writeSync(3, 'x'.repeat(10000)) }", /^(permanent|crash): /],
  ["notes a kind that is not valid", '() => { lie(\'{"type":"noted","kind":7}\'); return 1 }', /^output 1/],
  ["sets state of another type", '() => { lie(\'{"type":"done","output":1,"state":[[1,2],"x",{}]}\') }', /^output 1/],
  [
    "closes descriptor 3",
    "() => { process.getBuiltinModule('fs').closeSync(3); return new Promise((r) => setTimeout(r, 3000)) }",
    /^crash: /,
  ],
];

for (const [what, run, expected] of inSlice(RUNS)) {
  test(`a tool that ${what} is answered for`, { skip }, async () => {
    const file = join(trial.folder, "tools.mjs");
    await writeFile(file, `${HEAD}export default tool(${run});`);
    assert.match(await trial.call([], { code: { kind: "run", file } }), expected);
  });
}

test("a tool reaches the hosts that it was granted, by the proxy alone", { skip }, async () => {
  const server = createServer((_, answer) => answer.end("reached"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const script = `fetch(process.argv[1]).then((r) => r.text()).then(console.log, (e) => console.log(e.cause?.code ?? e.message))`;
  try {
    const host = `127.0.0.1:${address.port}`;
    const command = ["node", "-e", script, `http://${host}/`];
    assert.match(await trial.call(command, { sandbox: { hosts: [host] } }), /reached/);
    assert.doesNotMatch(await trial.call(command, { sandbox: { hosts: ["example.com"] } }), /reached/);
    assert.match(await trial.call(command), /ECONNREFUSED/);
  } finally {
    server.close();
  }
});

test("kill -9 of Baton ends its children", { skip }, async () => {
  const mark = `86${process.pid % 1_000}.5`;
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `const { openTrial } = await import(${url("../testing/sandboxed-call.ts")});
    const trial = await openTrial(); process.stdout.write("ready\\n"); await trial.call(["sleep", "${mark}"]);`;
  const baton = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((done) => baton.stdout.once("data", done));
  const find = () =>
    new Promise<string>((done) => {
      let told = "";
      const ps = spawn("ps", ["-eo", "args"], { stdio: ["ignore", "pipe", "ignore"] });
      ps.stdout.on("data", (part: Buffer) => {
        told += part.toString();
      });
      ps.on("close", () =>
        done(
          told
            .split("\n")
            .filter((line) => line.includes(`sleep ${mark}`))
            .join("\n"),
        ),
      );
    });
  while ((await find()) === "") {
    /* until it has started */
  }
  baton.kill("SIGKILL");
  await new Promise((done) => baton.once("close", done));
  while ((await find()) !== "") {
    /* the test's time limit ends this */
  }
});

const FAKES: readonly (readonly [what: string, script: string, why?: RegExp])[] = [
  ["only executes its command", '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done; shift; exec "$@"\n'],
  ["does nothing", "#!/bin/sh\nexit 0\n"],
  [
    "may not make user namespaces",
    "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n",
    /No permissions to create.*kernel\.unprivileged_userns_clone=1.*seccomp=unconfined/,
  ],
  ["is too old", "#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2; exit 1\n", /install bubblewrap 0\.8/],
  ["keeps the server's variables", '#!/bin/sh\nexport LEAK=1; exec /usr/bin/env bwrap "$@"\n'],
];

for (const [what, script, why = /./] of FAKES) {
  test(`a bwrap that ${what} is not used`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-"));
    await chmod(folder, 0o755);
    const bwrap = join(folder, "bwrap");
    await writeFile(bwrap, script, { mode: 0o755 });
    const scope = Scope.root({ clock: new SystemClock() });
    const level = processLevel({ env: { ...process.env, BATON_BWRAP: bwrap }, scope });
    assert.match((await level.missing()) ?? "", why);
    const job = {
      tool: "t",
      code: { kind: "command", command: ["id"] },
      input: 1,
      folder,
      paths: [],
      env: {},
    } as const;
    const running = level.run({ ...job, sandbox: {}, context: toolContext()() }, scope);
    await assert.rejects(running, { kind: "permanent" });
    await rm(folder, { recursive: true });
  });
}

test("a bwrap that is not there is named with the package to install", async () => {
  const scope = Scope.root({ clock: new SystemClock() });
  const level = processLevel({ env: { BATON_BWRAP: "/nowhere/bwrap" }, scope });
  assert.match((await level.missing()) ?? "", /BATON_BWRAP is \/nowhere\/bwrap.*install bubblewrap|it needs Linux/);
});
