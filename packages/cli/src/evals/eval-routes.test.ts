/** The routes of evaluations on a real server: results, datasets, a run that is kept, and rules that are tried. */
import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const FILES = {
  "shop/crew.yaml": 'version: "1.0"\nname: shop\nentry_point: desk\nagents: [desk]\n',
  "shop/agents/desk.yaml": "id: desk\nname: Desk\nrole: r\nsystem_prompt: Answer.\nis_terminal: true\n",
  "shop/script.yaml": "desk: [{ say: hunter2-hunter2 }]\n",
  "shop/evals/cases.yaml": "- { id: greets, input: hi, tags: [first], checks: { text: { contains: hello } } }\n",
};
const LIST = z.object({ evals: z.tuple([z.looseObject({ id: z.string(), crew: z.string(), passed: z.number() })]) });
const EVAL = z.looseObject({
  results: z.tuple([z.looseObject({ case: z.string(), status: z.string(), run: z.string() })]),
});
const DATASETS = z.object({ datasets: z.array(z.looseObject({ dataset: z.string(), cases: z.array(z.unknown()) })) });

test("stored results are served, a run is kept as a case that passes, and neither holds a secret", async () => {
  await inFolder(FILES, async (cwd) => {
    const env = { SHOP_TOKEN: "hunter2-hunter2" };
    assert.equal((await baton(["eval", "shop"], { cwd, env })).exitCode, 1);
    await using server = await Served.start(["shop"], { cwd, env });
    const get = async <T>(path: string, type: z.ZodType<T>) => type.parse(await (await server.get(path)).json());
    const send = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const [{ id, crew, passed }] = (await get("/api/evals?crew=shop&limit=5", LIST)).evals;
    assert.deepEqual([crew, passed], ["shop", 0]);
    const stored = await (await server.get(`/api/evals/${id}`)).text();
    const [{ run, ...result }] = EVAL.parse(JSON.parse(stored)).results;
    assert.deepEqual([result.case, result.status], ["greets", "fail"]);
    assert.equal((await server.get("/api/evals/none")).status, 404);
    assert.equal((await server.get("/api/evals?limit=0")).status, 400);
    assert.equal((await send("/api/evals/..%2Fkept/cases", { run })).status, 400);
    assert.equal((await send("/api/evals/kept/cases", { run, id: "kept" })).status, 201);
    assert.equal((await send("/api/evals/kept/cases", { run, id: "kept" })).status, 409);
    const kept = await Array.fromAsync(glob("shop/evals/kept.*", { cwd }), (name) => readFile(join(cwd, name), "utf8"));
    for (const text of [stored, kept.join("")]) assert.ok(text.includes("[secret]") && !text.includes("hunter2"), text);
    const { datasets } = await get("/api/evals/datasets", DATASETS);
    assert.deepEqual(
      datasets.map(({ dataset, cases }) => [dataset, cases.length]),
      [
        ["cases", 1],
        ["kept", 1],
      ],
    );
    const tried = await send("/api/policies/try", { crew: "shop", rules: "rules: []" });
    assert.deepEqual(await tried.json(), { runs: 1, calls: 0, allow: 0, ask: 0, deny: 0, changed: [] });
    assert.equal((await send("/api/policies/try", { crew: "shop", rules: "rules: [{ name: x }]" })).status, 400);
    assert.equal((await baton(["eval", "shop", "--only", "kept", "--no-store"], { cwd })).exitCode, 0);
  });
});
