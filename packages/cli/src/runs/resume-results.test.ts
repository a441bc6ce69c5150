/** Results of tools of the client, given to a run that waits for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { logIn, newestIn, toSuggested } from "../testing/stored.ts";
import { TRIP } from "../testing/trip.ts";

test("a tool of the client waits for its result as JSON, and wrong JSON changes nothing", async () => {
  await inFolder(TRIP, async (cwd) => {
    const paused = await baton(["run", "trip", "find"], { cwd });
    assert.equal(paused.exitCode, 3);
    assert.match(paused.stdout, /│ \? Where\(accuracy: "high"\) {2}needs a result from you\n$/);
    assert.match(
      paused.stderr,
      /^baton: the run is paused: a asks you to carry out Where with \{ "accuracy": "high" \}\.\nContinue it with \(the result as JSON, which must match \{"type":"object",.*\}\):\nbaton run trip --resume \w{8} 'JSON'\n$/,
    );
    const id = await newestIn(cwd);
    const before = await logIn(cwd, id);
    for (const [answer, why] of [
      ["Hanoi", /^baton: Where: the result is not valid JSON: Unexpected token 'H'/],
      [
        '{"town": "Hanoi"}',
        /^baton: Where: the result does not match the schema: city is missing; write the result as JSON, /,
      ],
    ] as const) {
      const wrong = await baton(["run", "trip", "--resume", id, answer], { cwd });
      assert.deepEqual([wrong.exitCode, wrong.stdout], [2, ""]);
      assert.match(wrong.stderr, why);
    }
    const after = await logIn(cwd, id);
    assert.deepEqual(after, before);
    const { exitCode, stdout, stderr } = await baton(["run", "trip", "--resume", id, '{"city": "a  =  b"}'], { cwd });
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, /│ ✓ Where\(accuracy: "high"\) {2}\d+ ms\n│ {3}\{"city":"a = b"\}\n│ All done\.\n/);
    const log = await baton(["runs", "show", id, "--json"], { cwd });
    assert.ok(log.stdout.includes('"output":{"city":"a  =  b"}'), log.stdout);
  });
});

test("a tool of the client that needs an approval waits for that first, then for its result", async () => {
  await inFolder(TRIP, async (cwd) => {
    const paused = await baton(["run", "trip", "contract"], { cwd });
    const allowed = await baton(toSuggested(paused.stderr), { cwd });
    assert.equal(allowed.exitCode, 3);
    assert.match(
      allowed.stdout,
      /needs your approval\n│ {3}allowed\n│ \? Sign\(text: "a = b"\) {2}needs a result from you\n$/,
    );
    assert.match(allowed.stderr, /\nContinue it with \(the result as JSON\):\n/);
    const result = await baton(["run", "--resume", await newestIn(cwd), '"deny"'], { cwd });
    assert.equal(result.exitCode, 0);
    assert.match(result.stdout, /needs a result from you\n│ ✓ Sign\(text: "a = b"\) {2}\d+ ms\n│ {3}deny\n/);
  });
});

test("results and other answers are given by the names of their questions, whole, in words or in lines", async () => {
  await inFolder(TRIP, async (cwd) => {
    const mixed = await baton(["run", "trip", "mixed"], { cwd });
    assert.match(mixed.stderr, / '1\.1\.1\/tool=JSON' 1\.1\.2=allow\n$/);
    const id = await newestIn(cwd);
    const some = await baton(["run", "--resume", id, '1.1.1/tool={"city": "Ho Chi Minh City"}', "1.1.2=deny"], { cwd });
    assert.deepEqual([some.exitCode, some.stderr], [0, ""]);
    assert.match(some.stdout, /\{"city":"Ho Chi Minh City"\}/);
    await baton(["run", "trip", "twice"], { cwd });
    const input = '1.1.1/tool={\n  "city": "Huế"\n}\n1.1.2/tool={"city": "Vinh"}\n';
    const lines = await baton(["run", "trip", "--resume", await newestIn(cwd), "-"], { cwd, input });
    assert.deepEqual([lines.exitCode, lines.stderr], [0, ""]);
    assert.match(
      lines.stdout,
      /"low"\) {2}\d+ ms\n│ {3}\{"city":"Huế"\}\n[\s\S]*"high"\) {2}\d+ ms\n│ {3}\{"city":"Vinh"\}/,
    );
  });
});

test("a result from standard input may be larger than a message, up to what a run keeps", async () => {
  await inFolder(TRIP, async (cwd) => {
    await baton(["run", "trip", "find"], { cwd });
    const args = ["run", "trip", "--resume", await newestIn(cwd), "-"];
    const tooLarge = await baton(args, { cwd, input: JSON.stringify({ city: "x".repeat(1_100_000) }) });
    assert.equal(tooLarge.exitCode, 2);
    assert.match(
      tooLarge.stderr,
      /^baton: the result is larger than 1 MB, the largest that a run can store; make it smaller\n$/,
    );
    const large = await baton(args, { cwd, input: JSON.stringify({ city: "x".repeat(100_000) }) });
    assert.deepEqual([large.exitCode, large.stderr], [0, ""]);
  });
});
