/** Real processes: killed after every event, replaced at a pause, and commits that are searched. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { z } from "zod";
import { inFolder, spawnBaton as baton } from "../testing/command.ts";

const FILES = {
  "crew.yaml": 'version: "1.0"\nname: shop\nentry_point: desk\nagents: [desk]\n',
  "agents/desk.yaml": "id: desk\nname: Desk\nrole: r\nsystem_prompt: Answer.\ntools: [Pay]\nis_terminal: true\n",
  "script.yaml": "desk: [{ call: [{ tool: Pay, args: {} }] }, { say: Paid. }]\n",
  "tools.ts": `import { defineTool } from "@baton/core";
import { z } from "zod";
export default [defineTool({ name: "Pay", description: "Pays.", effect: "irreversible", input: z.object({}), run: () => { throw new Error("real"); } })];
`,
  "evals/cases.yaml":
    "- { id: pays, input: pay, answers: { Pay: allow }, tools: { Pay: [{ output: ok }] }, checks: { outcome: done } }\n",
};
const report = z.object({
  faults: z.number(),
  results: z.array(z.object({ fault: z.string(), event: z.string(), result: z.string(), why: z.string() })),
});

const toOthers = (output: string) =>
  report
    .parse(JSON.parse(output))
    .results.filter(({ result }) => result !== "same")
    .map(({ fault, event, result }) => [fault, event, result]);

const WORKS: readonly (readonly [title: string, work: () => Promise<void>])[] = [
  ["a deployment at a pause loses and repeats nothing, and leaves no folder", () => playFaults("deploy", [])],
  [
    "a kill after every event loses and repeats nothing, and leaves no folder",
    () =>
      playFaults("kill", [
        ["kill", "effect.intended", "asked"],
        ["kill before it is stored", "call.ended", "asked"],
      ]),
  ],
  ["bisect names the commit, past one that does not parse", bisect],
];

for (const [title, work] of inSlice(WORKS)) test(title, work);

async function playFaults(only: "kill" | "deploy", others: readonly (readonly string[])[]): Promise<void> {
  await inFolder({ ...FILES, "tmp/.keep": "" }, async (cwd) => {
    const env = { TMPDIR: join(cwd, "tmp") };
    const { stdout, stderr } = await baton(["chaos", ".", "--case", "pays", "--only", only, "--json"], { cwd, env });
    assert.notEqual(stdout, "", stderr);
    assert.deepEqual(toOthers(stdout), others);
    const { faults } = report.parse(JSON.parse(stdout));
    assert.ok(only === "deploy" ? faults === 1 : faults > 12, `${faults} faults`);
    assert.deepEqual(
      readdirSync(env.TMPDIR).filter((name) => name.startsWith("baton-chaos-")),
      [],
    );
  });
}

async function bisect(): Promise<void> {
  await inFolder({ ...FILES, ".gitignore": ".baton\n", "script.yaml": "desk: [{ say: Hello. }]\n" }, async (cwd) => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd, stdio: "pipe" });
    const commit = async (subject: string) => {
      git("add", "-A");
      git("commit", "-qm", subject);
    };
    git("init", "-q");
    await commit("first");
    await baton(["run", ".", "hi"], { cwd });
    const [run] = z
      .object({ runs: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse((await baton(["runs", "--json"], { cwd })).stdout)).runs;
    assert.ok(run);
    await appendFile(join(cwd, "crew.yaml"), "# a comment\n");
    await commit("a comment");
    await appendFile(join(cwd, "crew.yaml"), "broken: [\n");
    await commit("does not parse");
    await writeFile(join(cwd, "crew.yaml"), FILES["crew.yaml"]);
    await writeFile(join(cwd, "agents/desk.yaml"), FILES["agents/desk.yaml"].replace("is_terminal: true\n", ""));
    await appendFile(join(cwd, "crew.yaml"), "routing: { agent_behaviors: { desk: { wait_for_signal: true } } }\n");
    await commit("waits");
    await appendFile(join(cwd, "crew.yaml"), "# another comment\n");
    await commit("another comment");
    const found = await baton(["bisect", run.id, "--good", "HEAD~4"], { cwd });
    assert.match(found.stdout, /^[0-9a-f]+ waits\n {2}could not be tried: /, found.stderr);
    assert.equal((await baton(["bisect", run.id, "--good", "HEAD"], { cwd })).exitCode, 2);
    assert.equal((await baton(["bisect", run.id, "--good", "HEAD~4", "--bad", "HEAD~3"], { cwd })).exitCode, 2);
  });
}
