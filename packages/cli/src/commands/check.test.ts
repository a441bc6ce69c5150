import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";

const BAD = `version: "1.0"
agents:
  - { id: a, name: A, role: r, tols: [] }
routing:
  signals:
    a: [{ signal: "[X]", target: b }]
`;

const Report = z.object({
  crews: z.array(
    z.object({
      path: z.string(),
      ok: z.boolean(),
      findings: z.array(z.looseObject({ code: z.string(), line: z.int(), column: z.int() })),
      worst: z.looseObject({ modelCalls: z.int() }).optional(),
    }),
  ),
});

test("every finding is one line with its place, and errors make the exit code 2", async () => {
  await inFolder({ "bad/crew.yaml": BAD }, async (cwd) => {
    const { exitCode, stdout } = await baton(["check", "bad"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(
      stdout,
      /^bad\/crew\.yaml:3:32: error: there is no field `tols`; did you mean `tools`\? \[unknown_field\]$/m,
    );
    assert.match(stdout, /^bad\/crew\.yaml:6:34: error: the target `b` is neither/m);
    assert.match(stdout, /^✗ bad {2}2 errors$/m);
  });
});

test("a folder of crews is all of them, each with its worst case", async () => {
  await inFolder({ ...CREW_FILES, "bad/crew.yaml": BAD }, async (cwd) => {
    const { exitCode, stdout } = await baton(["check", ".", "--verbose"], { cwd });
    assert.equal(exitCode, 2);
    assert.match(stdout, /^✗ bad {2}2 errors$/m);
    assert.match(stdout, /^✓ desk {2}3 agents, 3 tools\n {2}worst case for one input: \d+ model calls, /m);
    assert.deepEqual(await baton(["check", "desk"], { cwd }), { exitCode: 0, stdout: "", stderr: "" });
    assert.doesNotMatch((await baton(["check", "."], { cwd })).stdout, /desk/);
  });
});

test("notes are shown if they are asked for, each with an example of what it means", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout } = await baton(["check", "desk", "--notes"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^desk\/crew\.yaml:\d+:\d+: note: .*\(front → \[LOOP\] → front\) \[cycle\]$/m);
    assert.match(stdout, /^✓ desk {2}1 note, 3 agents, 3 tools$/m);
    assert.doesNotMatch((await baton(["check", "desk"], { cwd })).stdout, /note/);
  });
});

test("--json is one document with everything", async () => {
  await inFolder({ ...CREW_FILES, "bad/crew.yaml": BAD }, async (cwd) => {
    const { exitCode, stdout } = await baton(["check", "bad", "desk", "--json"], { cwd });
    const { crews } = Report.parse(JSON.parse(stdout));
    assert.equal(exitCode, 2);
    assert.deepEqual(
      crews.map(({ path, ok }) => ({ path, ok })),
      [
        { path: "bad", ok: false },
        { path: "desk", ok: true },
      ],
    );
    assert.ok((crews[1]?.worst?.modelCalls ?? 0) > 1);
    assert.deepEqual(
      crews[1]?.findings.map(({ code, severity }) => [code, severity]),
      [["cycle", "note"]],
    );
  });
});

test("other files that a shell pattern matches are skipped", async () => {
  await inFolder({ ...CREW_FILES, "README.md": "# Crews" }, async (cwd) => {
    const crew = Object.keys(CREW_FILES)[0]?.split("/")[0] ?? ".";
    assert.equal((await baton(["check", "README.md", crew], { cwd })).exitCode, 0);
    assert.equal((await baton(["check", "README.md"], { cwd })).exitCode, 2);
  });
});
