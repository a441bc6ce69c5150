/**
 * Inbox suite: what a database promises of commands on their way to runs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch } from "../batch.ts";
import type { InboxCommand } from "../record.ts";
import { hold, type OpenPair, recordOf, save } from "./database-pair.ts";

function postedOf(id: string, more: Partial<InboxCommand> = {}): InboxCommand {
  return {
    run: "r",
    id,
    command: JSON.stringify({ type: "say", text: `"${id}" \u0000 🎼 \uD800` }),
    fate: "sent",
    ...more,
  };
}

/** Tests what is promised of posted commands. */
export function testInbox(open: OpenPair): void {
  testPosting(open);
  testTaking(open);
}

function testPosting(open: OpenPair): void {
  test("a command that any handle posts is there for all, in the order of ids, until it is withdrawn", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "running" }), recordOf("other", { status: "paused" })]);
    const [one, two] = [postedOf("01"), postedOf("02", { fate: "taken" })];
    assert.equal(await pair.second.inbox.post(two), true);
    assert.equal(await pair.first.inbox.post(one), true);
    assert.equal(await pair.first.inbox.post(postedOf("03", { run: "other" })), true);
    assert.deepEqual(await pair.second.inbox.list("r"), [one, two]);
    assert.equal(await pair.second.inbox.settle(one, "withdrawn"), true);
    assert.equal(await pair.second.inbox.settle(one, "withdrawn"), false);
    assert.deepEqual(await pair.first.inbox.list("r"), [two]);
  });

  test("nothing is kept for a run that has ended or was never there", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "ended", outcome: "done" })]);
    assert.equal(await pair.second.inbox.post(postedOf("01")), false);
    assert.equal(await pair.second.inbox.post(postedOf("01", { run: "nobody" })), false);
    assert.deepEqual(await pair.first.inbox.list("r"), []);
  });

  test("a command is posted together with the request that it carries out, or not at all", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "paused" })]);
    const claim = await hold(pair.first, 'request:["t","ann","k"]', "one");
    const request = { key: claim.key, fingerprint: "f", begun: { run: "r", after: 3 }, keptUntil: 9e15 };
    assert.equal(await pair.first.inbox.post(postedOf("01", { run: "nobody" }), { claim, request }), false);
    assert.equal(await pair.second.requests.find(claim.key), undefined);
    assert.equal(await pair.first.inbox.post(postedOf("01"), { claim, request }), true);
    assert.deepEqual(await pair.second.requests.find(claim.key), request);
    await pair.second.claims.takeOver({ ...claim, owner: "two" });
    const late = { ...request, fingerprint: "late" };
    assert.equal(await pair.first.inbox.post(postedOf("02"), { claim, request: late }), false);
    assert.deepEqual(await pair.second.requests.find(claim.key), request);
    assert.deepEqual(await pair.second.inbox.list("r"), [postedOf("01")]);
  });

  test("runs with commands that nobody has seen are found, and a refusal is kept for its sender", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "running" }), recordOf("q", { status: "queued" })]);
    const refused = { code: "not_found", message: "there is no such question" } as const;
    await pair.first.inbox.post(postedOf("01"));
    await pair.first.inbox.post(postedOf("02"));
    await pair.first.inbox.post(postedOf("01", { run: "q" }));
    assert.deepEqual((await pair.second.inbox.unread()).toSorted(), ["q", "r"]);
    assert.equal(await pair.second.inbox.settle(postedOf("01"), "taken"), true);
    assert.equal(await pair.second.inbox.settle(postedOf("02"), refused), true);
    assert.equal(await pair.second.inbox.settle(postedOf("09"), "taken"), false);
    assert.deepEqual(await pair.first.inbox.unread(), ["q"]);
    const fates = (await pair.first.inbox.list("r")).map(({ fate }) => fate);
    assert.deepEqual(fates, ["taken", refused]);
  });

  test("an owner that has lost its claim neither posts nor settles a command", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "running" })]);
    const claim = await hold(pair.first, "run:r", "one");
    assert.equal(await pair.first.inbox.post(postedOf("01"), { claim }), true);
    assert.equal(await pair.first.inbox.post(postedOf("02"), { claim }), true);
    assert.equal(await pair.first.inbox.settle(postedOf("01"), "taken", claim), true);
    await pair.second.claims.takeOver({ ...claim, owner: "two" });
    assert.equal(await pair.first.inbox.post(postedOf("03"), { claim }), false);
    assert.equal(await pair.first.inbox.settle(postedOf("02"), "taken", claim), false);
    assert.equal(await pair.first.inbox.settle(postedOf("02"), "withdrawn", claim), false);
    const fates = (await pair.second.inbox.list("r")).map(({ id, fate }) => [id, fate]);
    assert.deepEqual(fates, [
      ["01", "taken"],
      ["02", "sent"],
    ]);
  });

  test("a run that has ended has no unread commands", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "running" })]);
    await pair.first.inbox.post(postedOf("01"));
    assert.deepEqual(await pair.second.inbox.unread(), ["r"]);
    await save(pair.first, [recordOf("r", { status: "ended", outcome: "done" })]);
    assert.deepEqual(await pair.second.inbox.unread(), []);
  });

  test("commands go with their run when it is deleted", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "paused" })]);
    await pair.first.inbox.post(postedOf("01"));
    await pair.second.runs.delete("r");
    assert.deepEqual([await pair.first.inbox.list("r"), await pair.first.inbox.unread()], [[], []]);
  });
}

function testTaking(open: OpenPair): void {
  test("what a change takes goes with what it writes, or stays if its claim was lost", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("r", { status: "running" })]);
    for (const id of ["01", "02", "03"]) await pair.first.inbox.post(postedOf(id));
    const claim = await hold(pair.first, "run:r", "one");
    const taking = { claim, batch: toBatch("r", 1, ["1"]), takes: ["01", "03"] };
    for (let tries = 0; tries < 2; tries++) assert.deepEqual(await pair.first.commit([taking]), []);
    const lost = { claim: { ...claim, number: 99 }, batch: toBatch("r", 2, ["2"]), takes: ["02"] };
    assert.deepEqual(await pair.first.commit([lost]), ["run:r"]);
    assert.deepEqual(await pair.second.inbox.list("r"), [postedOf("02")]);
  });
}
