import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { defineProgram, Engine, scriptModel } from "@baton/core";
import { readCrew, readScript } from "./read-crew.ts";
import { writeFolder } from "../testing/folder.ts";

const OPTIONS = { providers: [] };
const AGENT = (id: string) => `{ id: ${id}, name: N, role: R, is_terminal: true }`;

const crew = (id: string, rest = ""): string => `version: "1.0"\nagents: [${AGENT(id)}]\n${rest}`;
const lead = (rest: string): string => `version: "1.0"
agents: [{ id: lead, name: N, role: R, handoff_targets: [close] }, ${AGENT("close")}]
${rest}
`;
const toAlpha = 'routing: { signals: { lead: [{ signal: "[ALPHA]", target: alpha, return_to: close }] } }';

/** Reads the crew in `lead`; findings are `file:line:column code`. */
async function readLead(files: Readonly<Record<string, string>>) {
  await using folder = await writeFolder(files);
  const read = await readCrew(join(folder.path, "lead"), OPTIONS);
  const seen = read.findings.map(
    ({ file, line, column, code }) => `${file.slice(folder.path.length + 1)}:${line}:${column} ${code}`,
  );
  return { ...read, seen };
}

suite("crews that a crew names", () => {
  test("are read relative to its folder, in a folder or in one file", async () => {
    const { crew: made, seen } = await readLead({
      "lead/crew.yaml": lead(`sub_crews: { alpha: ../alpha }\nafter: { crew: ../later.yaml }\n${toAlpha}`),
      "alpha/crew.yaml": crew("researcher"),
      "later.yaml": crew("writer"),
    });
    assert.deepEqual(seen, []);
    assert.deepEqual([...(made?.subCrews.get("alpha")?.agents.keys() ?? [])], ["researcher"]);
    assert.equal(made?.after?.name, "later");
  });

  test("are one crew if several names lead to it", async () => {
    const { crew: made } = await readLead({
      "lead/crew.yaml": lead("sub_crews: { alpha: ../alpha, beta: ../beta, again: ../alpha/crew.yaml }"),
      "alpha/crew.yaml": crew("researcher"),
      "beta/crew.yaml": crew("b", "sub_crews: { inner: ../lead/../alpha }"),
    });
    const alpha = made?.subCrews.get("alpha");
    assert.ok(alpha);
    assert.equal(made?.subCrews.get("again"), alpha);
    assert.equal(made?.subCrews.get("beta")?.subCrews.get("inner"), alpha);
  });

  test("with errors stop it: each stands in its own file, and one at the reference; warnings stay where they are", async () => {
    const {
      crew: made,
      seen,
      findings,
      texts,
    } = await readLead({
      "lead/crew.yaml": lead(`sub_crews: { alpha: ../alpha, beta: ../alpha }\n${toAlpha}`),
      "alpha/crew.yaml": crew("a", "nme: x\nsettings: { max_rounds: 0, enforce: true }"),
    });
    assert.equal(made, undefined);
    assert.deepEqual(seen, [
      "lead/crew.yaml:3:21 broken_crew",
      "lead/crew.yaml:3:37 broken_crew",
      "alpha/crew.yaml:3:1 unknown_field",
      "alpha/crew.yaml:4:25 invalid_value",
    ]);
    assert.equal(findings[0]?.message, "the crew in `../alpha` has 2 errors");
    assert.equal(texts.size, 2);
  });

  test("that do not exist are found at the reference, with the nearest name", async () => {
    const { seen, findings } = await readLead({
      "lead/crew.yaml": lead(`sub_crews: { alpha: ../alpa, beta: 7, gamma: }\nafter: { crew: nowhere }\n${toAlpha}`),
      "alpha/crew.yaml": crew("a"),
    });
    assert.deepEqual(seen, [
      "lead/crew.yaml:3:21 missing_crew",
      "lead/crew.yaml:3:36 missing_crew",
      "lead/crew.yaml:3:46 wrong_type",
      "lead/crew.yaml:4:16 missing_crew",
    ]);
    assert.equal(findings[0]?.fix, "did you mean `../alpha`?");
  });

  test("that contain each other are an error, and the cycle is shown", async () => {
    const {
      crew: made,
      seen,
      findings,
    } = await readLead({
      "lead/crew.yaml": lead("sub_crews: { alpha: ../alpha }"),
      "alpha/crew.yaml": crew("a", "after: { crew: ../beta }"),
      "beta/crew.yaml": crew("b", "sub_crews: { back: ../alpha, first: ../lead }"),
    });
    assert.equal(made, undefined);
    assert.deepEqual(
      seen.filter((one) => one.endsWith("crew_cycle")),
      ["beta/crew.yaml:3:20 crew_cycle", "beta/crew.yaml:3:37 crew_cycle"],
    );
    const cycles = findings.filter(({ code }) => code === "crew_cycle").map(({ message }) => message);
    assert.deepEqual(cycles, [
      "the crew contains itself: alpha → beta → alpha",
      "the crew contains itself: lead → alpha → beta → lead",
    ]);
  });

  test("may stand four deep inside each other, not five", async () => {
    const files = {
      "1/crew.yaml": crew("a", "sub_crews: { next: ../2 }"),
      "2/crew.yaml": crew("a", "sub_crews: { next: ../3 }"),
      "3/crew.yaml": crew("a", "sub_crews: { next: ../4 }"),
      "4/crew.yaml": crew("a"),
    };
    assert.ok((await readLead({ ...files, "lead/crew.yaml": lead("sub_crews: { one: ../1 }") })).crew);
    const deep = { ...files, "0/crew.yaml": crew("a", "sub_crews: { next: ../1 }") };
    const { seen } = await readLead({ ...deep, "lead/crew.yaml": lead("sub_crews: { zero: ../0 }") });
    assert.ok(seen.includes("3/crew.yaml:3:20 too_deep_crews"), seen.join("\n"));
    // The last of them is known already, from where it is not too deep.
    const known = await readLead({ ...deep, "lead/crew.yaml": lead("sub_crews: { three: ../3, zero: ../0 }") });
    assert.ok(known.seen.includes("2/crew.yaml:3:20 too_deep_crews"), known.seen.join("\n"));
  });

  test("have their own tools and programs, and what they do at shutdown is done once", async () => {
    const hook =
      "export default [];\nexport const onShutdown = () => { globalThis.closed = (globalThis.closed ?? 0) + 1; };";
    const { onShutdown } = await readLead({
      "lead/crew.yaml": lead("sub_crews: { alpha: ../alpha, beta: ../alpha }"),
      "lead/tools.ts": hook,
      "alpha/crew.yaml": crew("a"),
      "alpha/tools.ts": hook,
    });
    await onShutdown?.();
    assert.equal(Object.entries(globalThis).find(([name]) => name === "closed")?.[1], 2);
  });
});

test("a crew from files routes by a program's output into a sub-crew and back", async () => {
  await using folder = await writeFolder({
    "lead/crew.yaml": `version: "1.0"
agents:
  - { id: intent, name: N, role: R, model: code/intent, audience: crew, output: { properties: { kind: { enum: [ask, end] } } } }
  - { id: close, name: N, role: R, is_terminal: true }
sub_crews: { alpha: ../alpha }
routing:
  signals:
    intent:
      - { when: { kind: ask }, target: alpha, return_to: close }
      - { when: { kind: end }, target: "" }
`,
    "alpha/crew.yaml": crew("researcher"),
    "lead/code.ts": "",
  });
  const intent = defineProgram(({ messages }) => ({
    output: { kind: messages.at(-1)?.content === "Hi" ? "ask" : "end" },
  }));
  const importModule = async () => ({ default: { intent } });
  const { crew: made, findings } = await readCrew(join(folder.path, "lead"), { ...OPTIONS, importModule });
  assert.ok(made, JSON.stringify(findings));
  const model = scriptModel({ researcher: [{ say: "Found." }], close: [{ say: "Bye." }] });
  await using engine = new Engine({ model: () => model });
  const asked = await engine.start(made, { input: "Hi" }).result;
  assert.deepEqual([asked.outcome, asked.content], ["done", "Bye."]);
  assert.ok(asked.history.some(({ content }) => content.includes("Found.")));
  const ended = await engine.start(made, { input: "Stop" }).result;
  assert.deepEqual([ended.outcome, ended.output], ["done", { kind: "end" }]);
});

suite("scripts of crews in crews", () => {
  const files = {
    "lead/crew.yaml": lead(`sub_crews: { alpha: ../alpha }\n${toAlpha}`),
    "alpha/crew.yaml": `version: "1.0"\nagents: [${AGENT("researcher")}, ${AGENT("critic")}]\nsub_crews: { deep: ../deep }\n`,
    "alpha/script.yaml": "researcher: [{ say: own }]\ncritic: [{ say: own }]\n",
    "deep/crew.yaml": crew("diver"),
    "deep/script.yaml": "diver: [{ say: own }]\n",
  };
  const says = (script: ReadonlyMap<string, readonly { say?: string }[]> | undefined) =>
    Object.fromEntries(Array.from(script ?? [], ([agent, entries]) => [agent, entries[0]?.say]));

  test("a script names agents of sub-crews by their paths; the others play their own scripts", async () => {
    const { script, seen } = await readLead({
      ...files,
      "lead/script.yaml": "lead: [{ say: x }]\nalpha/researcher: [{ say: mine }]\n",
    });
    assert.deepEqual(
      seen.filter((one) => one.includes("script")),
      [],
    );
    const others = { "alpha/critic": "own", "alpha/deep/diver": "own" };
    assert.deepEqual(says(script), { lead: "x", "alpha/researcher": "mine", ...others });
  });

  test("a crew without a script has none, though its sub-crews have", async () => {
    const { script, subCrews } = await readLead(files);
    assert.equal(script, undefined);
    assert.deepEqual(says(subCrews?.get("alpha")?.script), { researcher: "own", critic: "own", "deep/diver": "own" });
  });

  test("an agent that the sub-crew does not have is an error, with the nearest path", async () => {
    const { findings, seen } = await readLead({
      ...files,
      "lead/script.yaml": "alpha/reseacher: [{ say: x }]\nalpha/deep/dver: [{ say: x }]\nbeta/x: [{ say: x }]\n",
    });
    assert.deepEqual(
      seen.filter((one) => one.endsWith("unknown_agent")),
      [1, 2, 3].map((line) => `lead/script.yaml:${line}:1 unknown_agent`),
    );
    const fixes = findings.filter(({ code }) => code === "unknown_agent").map(({ fix }) => fix);
    assert.deepEqual(fixes, [
      "did you mean `alpha/researcher`?",
      "did you mean `alpha/deep/diver`?",
      "name an agent of the crew",
    ]);
  });

  test("entries for a sub-crew with errors are not looked at", async () => {
    const { seen } = await readLead({
      ...files,
      "alpha/crew.yaml": "version: 2\n",
      "lead/script.yaml": "alpha/nobody: [{ call: [{ tool: X }] }]\n",
    });
    assert.deepEqual(
      seen.filter((one) => one.startsWith("lead")),
      ["lead/crew.yaml:3:21 broken_crew"],
    );
  });

  test("a script from elsewhere takes what it does not name from the sub-crews it is given", async () => {
    await using folder = await writeFolder({
      ...files,
      "other.yaml": "lead: [{ say: x }]\nalpha/critic: [{ say: y }]\n",
    });
    const file = await readCrew(join(folder.path, "lead"), OPTIONS);
    assert.ok(file.crew);
    const { script } = await readScript(join(folder.path, "other.yaml"), file.crew, file);
    const own = { "alpha/researcher": "own", "alpha/deep/diver": "own" };
    assert.deepEqual(says(script), { lead: "x", "alpha/critic": "y", ...own });
  });
});
