import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { TRIP } from "../testing/trip.ts";

test("a tool is listed with its effect, permission, agents and arguments", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode, stdout } = await baton(["tools", "desk"], { cwd });
    assert.equal(exitCode, 0);
    assert.ok(
      stdout.startsWith(`Greet  read  allowed · worker
  Greets somebody.
    name: string: Who
    loud: boolean, default false

Wire  irreversible  asks a person first · worker
  Sends money.
    to: string
    amount: number, optional

`),
      stdout,
    );
  });
});

test("a tool that the client carries out is listed as that", async () => {
  await inFolder(TRIP, async (cwd) => {
    const { stdout } = await baton(["tools", "trip"], { cwd });
    assert.match(stdout, /^Where {2}read {2}allowed · carried out by the client · a\n/);
    assert.match(stdout, /^Sign {2}irreversible {2}asks a person first · carried out by the client · a\n/m);
    const Tools = z.object({ tools: z.array(z.object({ isClient: z.boolean() })) });
    const { tools } = Tools.parse(JSON.parse((await baton(["tools", "trip", "--json"], { cwd })).stdout));
    assert.deepEqual(tools, [{ isClient: true }, { isClient: true }]);
  });
});

test("--json lists the same with the whole schema", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { stdout } = await baton(["tools", "desk", "--json"], { cwd });
    const Tools = z.object({
      tools: z.array(z.object({ name: z.string(), permission: z.string(), inputSchema: z.looseObject({}) })),
    });
    const { tools } = Tools.parse(JSON.parse(stdout), { reportInput: true });
    assert.deepEqual(
      tools.map(({ name, permission }) => `${name} ${permission}`),
      ["Greet allow", "Wire ask", "Hang allow"],
    );
  });
});
