import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Engine, type Json, type Model, scriptModel } from "@baton/core";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const SKILL = (name: string, rest = "", body = "Ask for the order first.") =>
  `---\nname: ${name}\ndescription: How to do ${name}.\n${rest}---\n\n${body}\n`;

const CREW = `version: "1.0"
skills: [skills/refunds, "shared/*"]
agents:
  - { id: helper, name: Helper, role: Helps, is_terminal: true }
`;

const FILES = {
  "crew.yaml": CREW,
  "skills/refunds/SKILL.md": SKILL("refunds"),
  "skills/refunds/rules/limits.md": "At most 20 dollars.",
  "shared/tone/SKILL.md": SKILL("tone", "license: MIT\nmetadata: { by: us }\nallowed-tools: Bash(*)\n", "Be kind."),
  "shared/notes.txt": "not a skill",
};

async function check(files: Readonly<Record<string, string>>) {
  await using folder = await writeFolder(files);
  const read = await readCrew(folder.path, { providers: [] });
  const seen = read.findings.map(
    ({ file, line, column, code }) => `${file.slice(folder.path.length + 1)}:${line}:${column} ${code}`,
  );
  return { ...read, seen };
}

/** Runs the crew of a folder; its agent makes these calls, then answers. Gives the results in order, and the prompt. */
async function play(path: string, call: readonly Readonly<{ tool: string; args: Json }>[]) {
  const { crew, findings } = await readCrew(path, { providers: [] });
  assert.ok(crew, JSON.stringify(findings));
  const script = scriptModel({ helper: [{ call }, { say: "done" }] });
  const systems: string[] = [];
  const stream: Model["stream"] = (prompt, scope) => {
    systems.push(prompt.system);
    return script.stream(prompt, scope);
  };
  await using engine = new Engine({ model: () => ({ ...script, stream }) });
  const run = engine.start(crew, { input: "hello" });
  const events = await Array.fromAsync(run.events());
  const results = events.flatMap((event) => (event.type === "call.ended" ? [event.error ?? event.output] : []));
  return { results, system: systems[0] ?? "" };
}

suite("skills", () => {
  test("end the system prompt of every agent by name and description, and are loaded by tools", async () => {
    await using folder = await writeFolder(FILES);
    const { results, system } = await play(folder.path, [
      { tool: "skill", args: { name: "refunds" } },
      { tool: "skill_read", args: { name: "refunds", path: "rules/limits.md" } },
    ]);
    assert.ok(system.endsWith("\n- refunds: How to do refunds.\n- tone: How to do tone."), system);
    assert.deepEqual(results, ["Ask for the order first.", "At most 20 dollars."]);
  });

  test("are only those that an agent names, if it names some", async () => {
    await using folder = await writeFolder({
      ...FILES,
      "crew.yaml": CREW.replace("role: Helps", "role: Helps, skills: [tone]"),
    });
    const { results, system } = await play(folder.path, [{ tool: "skill", args: { name: "refunds" } }]);
    assert.doesNotMatch(system, /refunds/);
    assert.partialDeepStrictEqual(results, [{ kind: "permission" }]);
  });

  test("give no file outside their folder, whatever the path", async () => {
    await using folder = await writeFolder({ ...FILES, "secret.txt": "secret" });
    const home = join(folder.path, "skills/refunds");
    await symlink(join(folder.path, "secret.txt"), join(home, "link.txt"));
    await symlink(folder.path, join(home, "up"));
    await writeFile(join(home, "picture.png"), Uint8Array.of(0x89, 0x50, 0xff, 0));
    await writeFile(join(home, "large.txt"), "x".repeat(256 * 1_024 + 1));
    await mkdir(join(home, "empty"));
    execFileSync("mkfifo", [join(home, "pipe.txt")]);
    const wrong = ["../../secret.txt", "link.txt", "up/secret.txt", join(home, "SKILL.md"), "/etc/passwd"];
    const unusable = ["picture.png", "large.txt", "empty", "pipe.txt", "none.txt", "", ".", "x\0y"];
    const paths = [...wrong, ...unusable];
    const { results } = await play(folder.path, [
      ...paths.map((path) => ({ tool: "skill_read", args: { name: "refunds", path } })),
      { tool: "skill", args: { name: "nope" } },
    ]);
    assert.equal(results.length, paths.length + 1);
    for (const [index, result] of results.entries()) {
      assert.partialDeepStrictEqual(result, { kind: "validation" }, paths[index]);
      assert.doesNotMatch(JSON.stringify(result), /"secret"/);
    }
  });

  test("that are missing or wrong are errors at their places", async () => {
    const { seen } = await check({
      ...FILES,
      "crew.yaml": `version: "1.0"
skills: [skills/refunds, skills/none, "empty/*", skills/Bad, skills/other, skills/long, skills/hidden, skills/plain, skills/quoted, skills/typed]
agents:
  - { id: helper, name: Helper, role: Helps, is_terminal: true, skills: [refund] }
`,
      "skills/Bad/SKILL.md": SKILL("Bad"),
      "skills/other/SKILL.md": SKILL("another"),
      "skills/long/SKILL.md": `---\nname: long\ndescription: ${"x".repeat(1_025)}\ncompatibility: ${"y".repeat(501)}\n---\n`,
      "skills/hidden/SKILL.md": SKILL("hidden", "", "Buy\u200b it."),
      "skills/plain/SKILL.md": "# Plain\n",
      "skills/quoted/SKILL.md": '---\nname: quoted\ndescription: "x\n---\n',
      "skills/typed/SKILL.md": SKILL("typed", "metadata: us\ncolour: red\n"),
    });
    assert.deepEqual(seen.toSorted(), [
      "crew.yaml:2:26 missing_skill",
      "crew.yaml:2:39 missing_skill",
      "crew.yaml:4:74 missing_skill",
      "skills/Bad/SKILL.md:2:7 invalid_skill",
      "skills/hidden/SKILL.md:6:4 hidden_text",
      "skills/long/SKILL.md:3:14 invalid_skill",
      "skills/long/SKILL.md:4:16 invalid_skill",
      "skills/other/SKILL.md:2:7 invalid_skill",
      "skills/plain/SKILL.md:1:1 invalid_skill",
      "skills/quoted/SKILL.md:3:16 invalid_skill",
      "skills/typed/SKILL.md:4:11 invalid_skill",
      "skills/typed/SKILL.md:5:1 invalid_skill",
    ]);
  });

  test("whose instructions are long are a warning, and two of one name or more than 100 of a folder an error", async () => {
    const { seen, crew } = await check({
      ...FILES,
      "shared/tone/SKILL.md": SKILL("tone", "", "word ".repeat(8_000)),
    });
    assert.deepEqual(seen, ["shared/tone/SKILL.md:1:1 long_skill"]);
    assert.ok(crew);
    const twice = await check({ ...FILES, "shared/refunds/SKILL.md": SKILL("refunds") });
    assert.deepEqual(twice.seen, ["crew.yaml:2:26 invalid_skill"]);
    const names = Array.from({ length: 101 }, (_, index) => `s${index}`);
    const many = Object.fromEntries(names.map((name) => [`shared/${name}/SKILL.md`, SKILL(name)]));
    assert.deepEqual((await check({ ...FILES, ...many })).seen, ["crew.yaml:2:26 invalid_skill"]);
  });
});
