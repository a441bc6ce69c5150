/** The commands of evaluations as a person uses them, and as a person gets them wrong. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";

const CREW = `version: "1.0"
name: shop
entry_point: desk
agents: [desk]
`;
const AGENT = `id: desk
name: Desk
role: r
system_prompt: Answer.
is_terminal: true
`;
const FILES = {
  "crew.yaml": CREW,
  "agents/desk.yaml": AGENT,
  "script.yaml": 'desk: [{ when: "tea", say: "Tea costs 3 USD." }, { say: "Hello." }]\n',
  "evals/cases.yaml": `- { id: greets, input: hi, checks: { text: { contains: hello } } }
- { id: tea, input: tea, tags: [price], checks: { text: { contains: tea } } }
`,
};
const TOOLS = `import { writeFileSync } from "node:fs";
import { defineTool } from "@baton/core";
import { z } from "zod";
export default [
  defineTool({
    name: "Mark", description: "Marks.", effect: "idempotent", input: z.object({}), isolation: "inline",
    run: () => { writeFileSync(process.env.MARK, "real"); return "marked"; },
  }),
];
`;
const MARKING = {
  ...FILES,
  "agents/desk.yaml": `${AGENT}tools: [Mark]\n`,
  "script.yaml": "desk: [{ call: [{ tool: Mark, args: {} }] }, { say: Marked. }]\n",
  "tools.ts": TOOLS,
  "evals/cases.yaml": "- { id: marks, input: hi, checks: { outcome: done } }\n",
};

const REPORT = z.object({ trials: z.number(), passed: z.number(), pass_k: z.array(z.unknown()), against: z.unknown() });
const RUNS = z.object({ runs: z.tuple([z.object({ id: z.string() })]) });

suite("baton eval", () => {
  test("repeats, compares with another crew, and the gate holds for what is not worse", async () => {
    const worse = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`worse/${name}`, text]));
    await inFolder({ ...FILES, ...worse, "worse/script.yaml": "desk: [{ say: Hello. }]\n" }, async (cwd) => {
      const good = await baton(["eval", ".", "--repeat", "2", "--against", "worse", "--no-worse", "--json"], { cwd });
      assert.equal(good.exitCode, 0, good.stderr);
      const report = REPORT.parse(JSON.parse(good.stdout));
      assert.deepEqual([report.trials, report.passed, report.pass_k.length], [4, 4, 2]);
      assert.deepEqual(report.against, { better: 1, worse: 0, same: 1, p: 1, verdict: "no evidence" });
      const bad = await baton(["eval", "worse", "--against", ".", "--no-worse", "--min-pass", "0"], { cwd });
      assert.equal(bad.exitCode, 1);
      assert.match(bad.stderr, /worse on 1 cases/);
    });
  });

  test("a write runs only with --live-tools; without a double the case is an error that says so", async () => {
    await inFolder(MARKING, async (cwd) => {
      const mark = join(cwd, "mark.txt");
      const env = { MARK: mark };
      const refused = await baton(["eval", ".", "--no-store"], { cwd, env });
      assert.equal(refused.exitCode, 1);
      assert.match(refused.stdout, /Mark is idempotent and has no double/);
      const chaos = await baton(["chaos", ".", "hi", "--only", "tool"], { cwd, env });
      assert.deepEqual([chaos.exitCode, existsSync(mark)], [2, false]);
      assert.match(chaos.stderr, /Mark is idempotent and has no double/);
      const live = await baton(["eval", ".", "--no-store", "--live-tools"], { cwd, env });
      assert.equal(live.exitCode, 0, live.stdout);
      assert.equal(await readFile(mark, "utf8"), "real");
    });
  });

  test("without a terminal nothing is paid for without a cap, and the notice says the most it can cost", async () => {
    const other = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`other/${name}`, text]));
    const agents = {
      "agents/desk.yaml": `${AGENT}model: script\n`,
      "other/agents/desk.yaml": `${AGENT}model: openai/gpt-5-mini\n`,
    };
    const personas = { "simulate/ann.yaml": "name: ann\nmodel: openai/gpt-5-mini\ngoal: tea\n" };
    await inFolder({ ...FILES, ...other, ...agents, ...personas }, async (cwd) => {
      const env = { OPENAI_API_KEY: "sk-not-a-key-123456" };
      const { exitCode, stderr } = await baton(["eval", ".", "--model", "openai/gpt-5-mini"], { cwd, env });
      assert.equal(exitCode, 2);
      assert.match(stderr, /2 trials with openai\/gpt-5-mini: at most \d+\.\d\d USD/);
      assert.match(stderr, /set --max-usd N/);
      for (const args of [
        ["eval", ".", "--against", "other"],
        ["eval", ".", "--judge", "openai/gpt-5-mini"],
        ["chaos", ".", "hi", "--model", "openai/gpt-5-mini"],
        ["simulate", ".", "--model", "openai/gpt-5-mini"],
        ["simulate", "."],
      ]) {
        const refused = await baton(args, { cwd, env });
        assert.equal(refused.exitCode, 2, args.join(" "));
        assert.match(refused.stderr, /openai\/gpt-5-mini cost money, and nobody can be asked/, args.join(" "));
      }
    });
  });

  test("a judge is compared with labels, and one that says maybe is an error", async () => {
    const criteria = "judge: { criteria: [is friendly] }";
    const files = {
      ...FILES,
      "evals/cases.yaml": `- { id: greets, input: hi, checks: { ${criteria} } }\n`,
      "evals/labels.jsonl": '{"case": "greets", "criterion": "is friendly", "label": "yes"}\n',
      "yes.yaml": 'judge: [{ say: "yes" }]\n',
      "maybe.yaml": "judge: [{ say: maybe }]\n",
    };
    await inFolder(files, async (cwd) => {
      const { exitCode, stdout } = await baton(["eval", ".", "--judge", "script:yes.yaml"], { cwd });
      assert.equal(exitCode, 0);
      assert.match(stdout, /judge: 100 % agreement with 1 labels, kappa 1\.00\n {2}warning: 1 labels are few/);
      const maybe = await baton(["eval", ".", "--judge", "script:maybe.yaml"], { cwd });
      assert.equal(maybe.exitCode, 1);
      assert.match(maybe.stdout, /no majority of yes or no/);
      const none = await baton(["eval", "."], { cwd });
      assert.match(none.stdout, /the case wants a judge/);
    });
  });

  test("a misspelt check and a secret of the environment are noticed", async () => {
    await inFolder(FILES, async (cwd) => {
      await writeFile(join(cwd, "bad.yaml"), "- id: x\n  input: hi\n  checks: { outcom: done }\n");
      const wrong = await baton(["eval", ".", "bad.yaml"], { cwd });
      assert.equal(wrong.exitCode, 2);
      assert.match(wrong.stderr, /bad\.yaml:3: .*`outcom`/);
      const env = { SHOP_TOKEN: "hunter2-hunter2" };
      await writeFile(
        join(cwd, "leak.yaml"),
        "- { id: x, input: hi, script: { desk: [{ say: hunter2-hunter2 }] }, checks: { text: { contains: no } } }\n",
      );
      const args = ["eval", ".", "leak.yaml", "--jsonl", "out.jsonl", "--junit", "out.xml", "--json"];
      const leaked = await baton(args, { cwd, env });
      assert.equal(leaked.exitCode, 1);
      for (const text of [
        leaked.stdout,
        await readFile(join(cwd, "out.jsonl"), "utf8"),
        await readFile(join(cwd, "out.xml"), "utf8"),
      ])
        assert.ok(text.includes("[secret]") && !text.includes("hunter2"), text);
    });
  });

  test("a run that becomes a case, and one that is made small, hold no secret of the environment", async () => {
    const files = {
      ...FILES,
      "script.yaml": "desk: [{ say: hunter2-hunter2 }]\n",
      "no.yaml": "checks: { pauses: 1 }\n",
    };
    await inFolder(files, async (cwd) => {
      const env = { SHOP_TOKEN: "hunter2-hunter2" };
      await baton(["run", ".", "is it hunter2-hunter2?"], { cwd });
      const { id } = RUNS.parse(JSON.parse((await baton(["runs", "--json"], { cwd })).stdout)).runs[0];
      const kept = await baton(["runs", "to-case", id], { cwd, env });
      const shrunk = await baton(["shrink", id, "--checks", "no.yaml", "--out", "small"], { cwd, env });
      assert.equal(shrunk.exitCode, 0, shrunk.stderr);
      const written = await Promise.all(
        ["case.yaml", "script.yaml"].map((name) => readFile(join(cwd, "small", name), "utf8")),
      );
      assert.match(kept.stdout, /input: is it \[secret\]\?/);
      assert.ok(![kept.stdout, ...written].join("").includes("hunter2"), written.join(""));
    });
  });
});

suite("runs that were stored", () => {
  test("a crew without runs, a run that does not fail and an unknown kind of fault are refused", async () => {
    await inFolder(FILES, async (cwd) => {
      assert.equal((await baton(["policy", "try", "."], { cwd })).exitCode, 2);
      await baton(["run", ".", "hi"], { cwd });
      const { id } = RUNS.parse(JSON.parse((await baton(["runs", "--json"], { cwd })).stdout)).runs[0];
      const shrunk = await baton(["shrink", id], { cwd });
      assert.equal(shrunk.exitCode, 2);
      assert.match(shrunk.stderr, /does not fail/);
      assert.equal((await baton(["chaos", ".", "--run", id, "--only", "fire"], { cwd })).exitCode, 2);
      const chaos = await baton(["chaos", ".", "--run", id, "--only", "command"], { cwd });
      assert.equal(chaos.exitCode, 0, chaos.stdout);
      assert.match(chaos.stdout, /chaos: 3 faults, 0 lost, 0 repeated, 0 stuck\n$/);
      const bisected = await baton(["bisect", id, "--good", "HEAD"], { cwd });
      assert.equal(bisected.exitCode, 2);
    });
  });
});
