import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { findSchedules, SCHEDULES, toScheduleDocument } from "@baton/durable";
import { openSqlite } from "@baton/store/sqlite";
import { z } from "zod";
import { baton, inFolder } from "../../testing/command.ts";
import { Served } from "../../testing/served.ts";

const Schedules = z.object({
  schedules: z.array(
    z.looseObject({
      name: z.string(),
      tenant: z.string(),
      user: z.string(),
      nextAt: z.number().optional(),
      lastRun: z.string().optional(),
    }),
  ),
});
const Runs = z.object({ runs: z.array(z.looseObject({ id: z.string(), input: z.string(), user: z.string() })) });

const DESK = {
  "desk/crew.yaml": `version: "1.0"
name: The desk
agents: [{ id: a, name: A, role: Helps, is_terminal: true }]
schedules:
  - { name: yearly, cron: "0 0 1 1 *", time_zone: UTC, input: Sum up }
`,
  "desk/script.yaml": 'a: [{ say: "Good morning." }]\n',
};
test("a server starts what is due, by the crew's id or name, also what was added while it runs, and after kill -9", async () => {
  await inFolder(DESK, async (cwd) => {
    const add = (crew: string, name: string) =>
      baton(["schedule", "add", "--crew", crew, "--cron", "0 0 1 1 *", "--time-zone", "UTC", "--name", name, "Hello"], {
        cwd,
      });
    const runs = async (server: Served) => Runs.parse(await (await server.get("/api/runs")).json()).runs;
    {
      await using server = await Served.start(["desk"], { cwd });
      await add("desk", "by-id");
      await add("The desk", "by-name");
      await makeDue(cwd);
      await until(async () => (await runs(server)).length === 2);
      await server.stop("SIGKILL");
    }
    await makeDue(cwd);
    await using server = await Served.start(["desk"], { cwd });
    await until(async () => (await runs(server)).length === 4);
    assert.deepEqual(new Set((await runs(server)).map(({ input }) => input)), new Set(["Hello"]));
    const { schedules } = Schedules.parse(JSON.parse((await baton(["schedule", "--json"], { cwd })).stdout));
    assert.equal(schedules.filter(({ lastRun }) => lastRun !== undefined).length, 2);
    const kept = schedules.find(({ name }) => name.endsWith("/yearly"));
    assert.ok(kept);
    const removed = await baton(["schedule", "remove", kept.name], { cwd });
    assert.match(
      removed.stderr,
      /^if crew\.yaml of The desk still has it, the next start of a server adds it again\n$/,
    );
    const { stderr } = await server.stop();
    assert.match(stderr, /schedule by-id of local was due at .* makes up for it/);
  });
});

/** Lets the schedules that were added have been due for some minutes, each time at another time. */
async function makeDue(cwd: string): Promise<void> {
  await using database = await openSqlite({ path: join(cwd, ".baton", "baton.db") });
  const everyMs = 366 * 86_400_000;
  for (const { owner, schedule } of await findSchedules(database)) {
    if (schedule?.origin !== "user") continue;
    const { name, crew, input, origin } = schedule;
    const document = toScheduleDocument(
      { name, crew, input, origin, when: { everyMs } },
      Date.now() - everyMs - 1_200_000,
    );
    await database.documents(owner).put(SCHEDULES, document);
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}
