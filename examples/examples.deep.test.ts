import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { inSlice } from "@baton/core/testing";

/** The output of each example, without times and ids. */
const PRINTED: ReadonlyMap<string, readonly string[]> = new Map([
  ["hello.ts", ["greeter: Hello! Baton is running.", "— done"]],
  [
    "support-desk.ts",
    [
      "desk: Which order is it?",
      "desk: One moment. [CHECK]",
      '  LookUp → {"order":"O-17","item":"teapot","state":"shipped"}',
      "mood: Impatient, but kind.",
      "orders: O-17: a teapot, shipped.",
      "desk: It is on its way. [DONE]",
    ],
  ],
  [
    "help-desk.ts",
    [
      "Can I send back a teapot?",
      "  Send anything back that you have not used. The return period is 30 days.",
      "Is there a member price?",
      "  Members pay less for everything. The member discount is 10.00%.",
      "I forgot my password",
      "  Press Forgot password; a link comes by mail.",
      "Call me Lan",
      "  I will remember that.",
    ],
  ],
  [
    "triage.ts",
    [
      "I was charged twice.",
      "  rules → billing: You get your money back.",
      "It has been three weeks!",
      "  rules → judge → delivery: It is with the courier.",
    ],
  ],
  [
    "plan.ts",
    [
      "1.1: BoilWater + GrindBeans + ToastBread",
      "1.2: BrewCoffee",
      "1.3: Done: BoilWater, GrindBeans, BrewCoffee. Failed: ToastBread. Left out: ServeToast.",
    ],
  ],
  [
    "agents-as-tools.ts",
    ['1.1.1 research: "3,143 m."', '1.1.2 translator: "Nóc nhà Đông Dương"', "Nóc nhà Đông Dương: 3,143 m."],
  ],
  ["map.ts", ["1 debt is low", "2 debt is high", "3 failed: no such company", "One of two is sound."]],
  [
    "crew-of-crews.ts",
    [
      "1 desk: A night in Lisbon, then.",
      "2/booking/1 clerk: Which hotel: Alfama or Belem?",
      "— paused",
      "2/booking/2 clerk: Alfama it is.",
      "2/booking/3 cashier: Alfama is booked and paid.",
      "2 booking: Alfama is booked and paid.",
      "3 guide: Take tram 28 up the hill.",
      "— done",
    ],
  ],
]);

const examples = globSync("*.ts", { cwd: import.meta.dirname }).filter((name) => !name.endsWith(".test.ts"));

for (const name of inSlice(examples.toSorted())) {
  test(`examples/${name} prints what it says, on its own and without a key`, async () => {
    const path = join(import.meta.dirname, name);
    const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { env, timeout: 60_000 });
    const lines = stdout.trimEnd().split("\n");
    assert.equal(stderr, "");
    // Members of a group answer in the order in which they are ready.
    assert.deepEqual(name === "support-desk.ts" ? lines.toSorted() : lines, toExpected(name));
  });
}

function toExpected(name: string): readonly string[] | undefined {
  const printed = PRINTED.get(name);
  return name === "support-desk.ts" ? printed?.toSorted() : printed;
}
