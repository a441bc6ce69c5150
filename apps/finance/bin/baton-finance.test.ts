/** The command `baton-finance`, run as a child process: usage errors, and that it asks nothing before it may. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FakeServer } from "../market/testing/fake-server.ts";
import { startFinance } from "./testing/finance-command.ts";

const sec = await FakeServer.start(() => ({ status: 404, body: "{}" }));
const folder = await mkdtemp(join(tmpdir(), "baton-finance-bin-"));
after(async () => {
  await sec[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("needs a contact, says so, and asks nothing", async () => {
  const env = { SEC_WWW_BASE_URL: sec.url, SEC_DATA_BASE_URL: sec.url, SEC_SEARCH_BASE_URL: sec.url };
  const { stderr, exitCode } = await startFinance(["data", "refresh"], { folder, env }).ended();
  assert.match(stderr, /set SEC_CONTACT to an e-mail address/);
  assert.deepEqual([exitCode, sec.requests.length], [2, 0]);
});

test("tells that there is no pack, and how to build one", async () => {
  const { stderr, exitCode } = await startFinance(["data", "status"], { folder }).ended();
  assert.match(stderr, /there is no .*current\.json; `npm run finance -- data refresh` builds it/);
  assert.equal(exitCode, 2);
});
