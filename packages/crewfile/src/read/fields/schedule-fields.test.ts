/** `schedules` of crew.yaml: what is read, and where each thing that is wrong stands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const HEAD = `version: "1.0"
name: desk
agents: [{ id: a, name: A, role: Helps, is_terminal: true }]
schedules:
`;

async function read(schedules: string) {
  await using folder = await writeFolder({ "crew.yaml": HEAD + schedules });
  return await readCrew(folder.path, { providers: [] });
}

test("schedules are read with their cron, time zone, input and session, and are frozen", async () => {
  const { crew, findings } = await read(`
  - name: morning
    cron: 30 8 * * 1-5
    time_zone: Asia/Ho_Chi_Minh
    input: Brief my watchlist
    session: daily
  - { name: month end, cron: "0 17 L * *", time_zone: UTC, input: Sum up }
`);
  assert.deepEqual(findings, []);
  assert.deepEqual(crew?.schedules, [
    {
      name: "morning",
      cron: "30 8 * * 1-5",
      timeZone: "Asia/Ho_Chi_Minh",
      input: "Brief my watchlist",
      session: "daily",
    },
    { name: "month end", cron: "0 17 L * *", timeZone: "UTC", input: "Sum up" },
  ]);
  assert.ok(Object.isFrozen(crew?.schedules) && Object.isFrozen(crew?.schedules[0]));
});

test("a crew without schedules has none", async () => {
  const { crew } = await read("  []\n");
  assert.deepEqual(crew?.schedules, []);
});

test("what is wrong is told with its line and column, all at once, and what to write", async () => {
  const { crew, findings } = await read(`  - { name: a, cron: "60 8 * * *", time_zone: UTC, input: x }
  - { name: b, cron: "0 8 * *", time_zone: Asia/Ho_Chi_Min, input: x }
  - { name: c, cron: "0 0 30 2 *", time_zone: Mars, input: x }
  - { name: a, cron: "0 8 * * *", time_zone: UTC, input: "  " }
  - { name: d, cron: "@daily", timezone: UTC, input: x, session: a b }
  - { name: e }
`);
  assert.equal(crew, undefined);
  const told = findings.map(({ line, column, path, message, fix }) => `${line}:${column} ${path}: ${message}; ${fix}`);
  const fields = 'write minute, hour, day of month, month and day of week, as "30 8 * * 1-5"';
  assert.deepEqual(told, [
    `5:22 schedules[0].cron: the cron \`60 8 * * *\` is not valid: Invalid value for minute: 60; ${fields}`,
    `6:22 schedules[1].cron: the cron \`0 8 * *\` does not have five fields; ${fields}`,
    "6:44 schedules[1].time_zone: there is no time zone `Asia/Ho_Chi_Min`; did you mean `Asia/Ho_Chi_Minh`?",
    `7:22 schedules[2].cron: the cron \`0 0 30 2 *\` is never due: no year has such a day; ${fields}`,
    "7:47 schedules[2].time_zone: there is no time zone `Mars`; write a name such as Asia/Ho_Chi_Minh, Europe/London or UTC",
    "8:13 schedules[3].name: `a` is already used; rename or remove one of the two",
    "8:51 schedules[3].input: `input` is missing; add `input`, what its runs are asked",
    "9:5 schedules[4].time_zone: `time_zone` is missing; add `time_zone`, such as Asia/Ho_Chi_Minh or UTC",
    `9:22 schedules[4].cron: the cron \`@daily\` does not have five fields; ${fields}`,
    "9:32 schedules[4].timezone: there is no field `timezone`; did you mean `time_zone`?",
    "9:66 schedules[4].session: `a b` is not a session; write 1 to 128 letters, digits, _ and -",
    '10:5 schedules[5].cron: `cron` is missing; add `cron`, such as "30 8 * * 1-5"',
    "10:5 schedules[5].time_zone: `time_zone` is missing; add `time_zone`, such as Asia/Ho_Chi_Minh or UTC",
    "10:5 schedules[5].input: `input` is missing; add `input`, what its runs are asked",
  ]);
});
