import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ListenState } from "./listen-address.ts";

const LOCAL = { host: "127.0.0.1", isLoopback: true };
const OPEN = { host: "0.0.0.0", isLoopback: false };

test("a process serves its user alone until it listens where others can reach it", () => {
  const state = new ListenState();
  assert.equal(state.isLoopback, true);
  state.listen(LOCAL, {});
  assert.equal(state.isLoopback, true);
  state.listen(OPEN, {});
  assert.equal(state.isLoopback, false);
});

test("settings that are wrong are refused before the server listens", () => {
  for (const address of [LOCAL, OPEN]) {
    const listen = (env: Readonly<Record<string, string>>) => () => new ListenState().listen(address, env);
    assert.throws(listen({ BATON_FINANCE_DATA: "yes" }), { message: /set it to auto, offline or live/ });
    const env = { BATON_FINANCE_DATA_PACK: "current", BATON_DATA: join(tmpdir(), "no-such-folder") };
    assert.throws(listen(env), { message: /data refresh` builds it/ });
    listen({ ...env, BATON_FINANCE_DATA_PACK: "snapshot" })();
  }
});
