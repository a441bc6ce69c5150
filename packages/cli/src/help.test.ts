import assert from "node:assert/strict";
import { test } from "node:test";
import { BATON, baton, Child } from "./testing/command.ts";

const COMMANDS = [
  "init",
  "check",
  "graph",
  "run",
  "chat",
  "runs",
  "replay",
  "tools",
  "serve",
  "mcp",
  "connect",
  "worker",
  "up",
  "keys",
  "schedule",
];

test("help lists every command, and every command has its own", async () => {
  const [all, ...each] = await Promise.all([
    baton(["--help"]),
    ...COMMANDS.flatMap((name) => [baton([name, "--help"]), baton([name, "-h", "--nonsense"]), baton(["help", name])]),
  ]);
  for (const name of COMMANDS) assert.match(all?.stdout ?? "", new RegExp(`^ {2}${name} `, "m"));
  for (const [index, { exitCode, stdout, stderr }] of each.entries()) {
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^baton ${COMMANDS[Math.floor(index / 3)]}: .*\n\nUsage: baton `));
  }
  assert.equal((await baton([])).stdout, all?.stdout);
});

test("a mistyped command or option gets a suggestion", async () => {
  const wrong: [string[], RegExp][] = [
    [["rnu"], /^baton: there is no command `rnu`\.\nDid you mean `baton run`\?\n$/],
    [["frobnicate"], /`baton --help` lists the commands\.\n$/],
    [["run", "--sript", "x"], /^baton: there is no option `--sript`\.\nDid you mean `--script`\?\n$/],
    [["run", "--script"], /^baton: `--script` needs a value: --script FILE\.\n/],
    [["run", "--script", "--json"], /^baton: `--script` needs a value/],
    [
      ["worker", "--origin", "https://example.com"],
      /^baton: there is no option `--origin`\.\nIt is an option of `baton serve`; `baton worker --help` lists its arguments\.\n$/,
    ],
    [["serve", "--worker-port", "1"], /\nIt is an option of `baton worker`; /],
    [["serve", "--grace", "-1"], /^baton: --grace must be a whole number from 0 to 86400\n/],
    [["run", "--json=yes"], /^baton: `--json` takes no value\.\n/],
    [
      ["run", "crew", "-5"],
      /^baton: there is no option `-5` \(if it is part of the input, write -- before the input\)\./,
    ],
    [["graph", "a", "b"], /^baton: `b` is one argument too many\.\n/],
  ];
  for (const [args, expected] of wrong) {
    const { exitCode, stdout, stderr } = await baton(args);
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.match(stderr, expected);
  }
});

test("a setting that only servers take as an option may be in the environment of a worker", async () => {
  const env = { BATON_ORIGIN: "https://example.com", BATON_POSTGRES: "postgres://db/baton" };
  const { exitCode, stdout } = await baton(["worker", "--print-config"], { env });
  assert.equal(exitCode, 0);
  assert.match(stdout, /^origins: \[https:\/\/example\.com\] +# BATON_ORIGIN$/m);
});

test("the version is said", async () => {
  assert.match((await baton(["--version"])).stdout, /^baton \d+\.\d+\.\d+\n$/);
});

test("an older Node gets one sentence that says which version is needed", async () => {
  const older = 'Object.defineProperty(process, "versions", { value: { node: "20.19.0" } })';
  const child = new Child([process.execPath, "--import", `data:text/javascript,${older}`, BATON, "run"], {});
  const { exitCode, stdout, stderr } = await child.ended();
  assert.deepEqual([exitCode, stdout], [1, ""]);
  assert.equal(stderr, "baton: Baton needs Node 24.0 or newer; this is Node 20.19.0.\n");
});
