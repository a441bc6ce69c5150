/** docs/start.md, followed literally on machines that have nothing but Node and npm. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { pack, type Packed } from "../pack.ts";
import { OLDEST_NODE } from "../package-manifest.ts";
import { type Equipment, makeMachine } from "./machine.ts";
import { openModelServer } from "./model-server.ts";
import { parsePage, type Step } from "./page.ts";
import { follow, type Section } from "./reader.ts";
import { openRegistry } from "./registry.ts";

const MAX_SECONDS = 600;
const PROJECT = "root/my-crew";
const PAGE = join(import.meta.dirname, "..", "..", "docs", "start.md");
/** A reader without a key leaves this section out, as it says. */
const MODEL_SECTION = "3. Use a real model";
const INSTRUCTION = /^(?:#|FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|CMD) \S/;

const noMachine = canIsolate() ? false : "needs Linux with `unshare` and `script`";

describe("the tutorial, followed literally on a clean machine", { skip: noMachine }, () => {
  let root = "";
  let packed: ReadonlyMap<string, Packed> = new Map();
  let steps: readonly Step[] = [];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "baton-tutorial-"));
    packed = await pack(join(root, "tarballs"));
    steps = parsePage(await readFile(PAGE, "utf8"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  test("with a model on Node 24, in under ten minutes", async (t) => {
    await using model = await openModelServer();
    const sections = await read({ node: "24", npm: "11" }, { OPENAI_BASE_URL: model.url }, steps);
    report(t, sections);
    assert.deepEqual(
      sections.flatMap(({ leftOut }) => leftOut.map((line) => line.split(" ").slice(0, 2).join(" "))),
      ["docker build", "docker run", "docker run"],
    );
  });

  test("without a key on the oldest Node, in under ten minutes", async (t) => {
    report(t, await read({ node: OLDEST_NODE, npm: "10" }, {}, without(steps, MODEL_SECTION)));
  });

  test("its Dockerfile has only instructions that are known, and starts the command itself", () => {
    const file = steps.find((step) => step.type === "file" && step.path === "Dockerfile");
    assert.ok(file?.type === "file");
    for (const line of file.text.trim().split("\n")) assert.match(line, INSTRUCTION);
    assert.match(file.text, /^CMD \["node_modules\/\.bin\/baton", "serve"\]$/m);
  });

  async function read(equipment: Equipment, env: Readonly<Record<string, string>>, page: readonly Step[]) {
    await using registry = await openRegistry(packed);
    const machine = await makeMachine(join(root, `node-${equipment.node}`), equipment, registry.url);
    return await follow(page, { machine, env, project: PROJECT });
  }
});

function report(t: TestContext, sections: readonly Section[]): void {
  for (const { title, seconds, leftOut } of sections) {
    t.diagnostic(`${seconds.toFixed(1).padStart(6)} s  ${title}`);
    for (const line of leftOut) t.diagnostic(`          not run: ${line}`);
  }
  const sum = sections.reduce((total, { seconds }) => total + seconds, 0);
  t.diagnostic(`${sum.toFixed(1).padStart(6)} s  sum`);
  assert.ok(sections.length > 6, `only ${sections.length} sections`);
  assert.ok(sum < MAX_SECONDS, `${sum} s`);
}

function without(steps: readonly Step[], title: string): readonly Step[] {
  const start = steps.findIndex((step) => step.type === "section" && step.title === title);
  const end = steps.findIndex((step, index) => index > start && step.type === "section");
  assert.ok(start !== -1 && end !== -1, `no section ${title}`);
  return [...steps.slice(0, start), ...steps.slice(end)];
}

function canIsolate(): boolean {
  try {
    execFileSync("unshare", ["--map-root-user", "--mount", "--pid", "--fork", "script", "-qec", "true", "/dev/null"]);
    return true;
  } catch {
    return false;
  }
}
