import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";

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
const WORKDAYS = ["--cron", "30 8 * * 1-5", "--time-zone", "Asia/Ho_Chi_Minh"];

test("a schedule is added, listed with its next time in its zone, and removed, without a server", async () => {
  await inFolder({}, async (cwd) => {
    const none = await baton(["schedule"], { cwd });
    assert.deepEqual([none.exitCode, none.stdout], [0, ""]);
    assert.match(none.stderr, /^no schedules in \.baton; add one with `baton schedule add --crew NAME /);
    const added = await baton(["schedule", "add", "--crew", "desk", ...WORKDAYS, "Brief my watchlist!"], { cwd });
    assert.deepEqual([added.exitCode, added.stdout], [0, "brief-my-watchlist\n"]);
    assert.match(
      added.stderr,
      /^brief-my-watchlist of local is stored in \.baton; next run: \d{4}-\d\d-\d\d 08:30 Asia\/Ho_Chi_Minh\na server on \.baton that serves the crew desk starts its runs\n$/,
    );
    const more = ["--user", "ann", "--tenant", "acme", "--session", "daily", "--json"];
    const other = await baton(["schedule", "add", "--crew", "desk", ...WORKDAYS, ...more, "Brief my watchlist"], {
      cwd,
    });
    assert.partialDeepStrictEqual(JSON.parse(other.stdout), {
      name: "brief-my-watchlist",
      tenant: "acme",
      user: "ann",
      session: "daily",
      when: { cron: "30 8 * * 1-5", timeZone: "Asia/Ho_Chi_Minh" },
    });
    const again = await baton(["schedule", "add", "--crew", "desk", ...WORKDAYS, "Brief my watchlist"], { cwd });
    assert.equal(again.stdout, "brief-my-watchlist-2\n");
    const listed = await baton(["schedule", "list"], { cwd });
    const [titles, ...rows] = listed.stdout.trimEnd().split("\n");
    assert.match(titles ?? "", /^name +owner +crew +next +last run +input$/);
    assert.equal(rows.length, 3);
    for (const row of rows) assert.match(row, /08:30 Asia\/Ho_Chi_Minh +none +Brief my watchlist/);
    const both = await baton(["schedule", "remove", "brief-my-watchlist"], { cwd });
    assert.deepEqual([both.exitCode, both.stdout], [2, ""]);
    assert.match(both.stderr, /each have a schedule brief-my-watchlist; name the owner with --tenant and --user/);
    const whose = ["--tenant", "acme", "--user", "ann"];
    const removed = await baton(["schedule", "remove", "brief-my-watchlist", ...whose], { cwd });
    assert.deepEqual([removed.exitCode, removed.stdout], [0, "removed brief-my-watchlist\n"]);
    const left = Schedules.parse(JSON.parse((await baton(["schedule", "--json"], { cwd })).stdout));
    assert.deepEqual(left.schedules.map(({ name, user }) => `${name} ${user}`).toSorted(), [
      "brief-my-watchlist local",
      "brief-my-watchlist-2 local",
    ]);
    const mine = await baton(["schedule", "list", "--json", ...whose], { cwd });
    assert.deepEqual(JSON.parse(mine.stdout), { schedules: [] });
  });
});

test("an invalid schedule is refused with what to do next, and nothing is stored", async () => {
  await inFolder({}, async (cwd) => {
    const add = ["schedule", "add", "--crew", "desk"];
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [["schedule", "ad"], /has no action "ad"; write one of add, list, remove/],
      [["schedule", "lst"], /did you mean list\?/],
      [["schedule", "list", "all"], /takes no "all"; remove it/],
      [["schedule", "add", "--cron", "* * * * *", "x"], /--crew is missing: baton schedule add/],
      [[...add, "x"], /--cron is missing: baton schedule add/],
      [[...add, "--cron", "* * * * *"], /the input is missing: baton schedule add/],
      [[...add, "--cron", "* * * * *", " "], /the input is missing/],
      [[...add, "--cron", "99 8 * * *", "x"], /the cron "99 8 \* \* \*" is not valid: .*; write minute, hour/],
      [[...add, "--cron", "0 0 30 2 *", "--time-zone", "UTC", "x"], /is never due: no year has such a day/],
      [
        [...add, "--cron", "* * * * *", "--time-zone", "Mars", "x"],
        /there is no time zone "Mars"; write a name such as/,
      ],
      [[...add, "--cron", "* * * * *", "--name", "a b", "x"], /"a b" is not a name of a schedule: write 1 to 256/],
      [[...add, "--cron", "* * * * *", "--session", "a b", "x"], /"a b" is not a session/],
      [[...add, "--cron", "* * * * *", "--user", "ann", "x"], /--tenant and --user must be used together/],
      [
        ["schedule", "remove"],
        /name the schedule: baton schedule remove NAME; `baton schedule list` lists the schedules/,
      ],
      [["schedule", "remove", "x"], /there are no schedules in \.baton/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(args, { cwd });
      assert.notEqual(exitCode, 0, args.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, expected);
    }
    await baton([...add, "--cron", "* * * * *", "--name", "morning", "x"], { cwd });
    const twice = await baton([...add, "--cron", "* * * * *", "--name", "morning", "x"], { cwd });
    assert.match(
      twice.stderr,
      /the schedule morning already exists; choose another --name, or remove it first: baton schedule remove morning/,
    );
    const near = await baton(["schedule", "remove", "mornin"], { cwd });
    assert.match(near.stderr, /there is no schedule "mornin" in \.baton; did you mean morning\? `baton schedule list`/);
  });
});

test("a schedule of local gets a warning that no key sees its runs, if there are keys", async () => {
  await inFolder({}, async (cwd) => {
    await baton(["keys", "create", "--tenant", "acme", "--scopes", "run"], { cwd });
    const { stderr } = await baton(["schedule", "add", "--crew", "desk", ...WORKDAYS, "Hello"], { cwd });
    assert.match(
      stderr,
      /\nservers there need keys, and no key sees the runs of local; to see the runs, add --tenant and --user/,
    );
  });
});
