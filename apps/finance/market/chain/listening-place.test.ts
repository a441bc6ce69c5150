import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { requirePlace } from "./listening-place.ts";

const LOCAL = { host: "127.0.0.1", isLoopback: true };
const OPEN = { host: "0.0.0.0", isLoopback: false };

test("sources for personal use are refused where others can reach the server, and nowhere else", () => {
  const named = { BATON_FINANCE_SOURCES: "yahoo,cboe" };
  assert.throws(() => requirePlace(named, OPEN), {
    kind: "not_configured",
    message:
      "cboe, yahoo are for your own use on this machine, but the server would listen on 0.0.0.0: leave --sources out, or listen on 127.0.0.1",
  });
  assert.deepEqual(requirePlace(named, LOCAL).named, ["cboe", "yahoo"]);
  assert.equal(requirePlace({ BATON_FINANCE_LIVE: "on", FMP_API_KEY: "k" }, OPEN).isLive, true);
});

test("settings that are wrong are refused at any place", () => {
  for (const place of [LOCAL, OPEN]) {
    assert.throws(() => requirePlace({ BATON_FINANCE_LIVE: "yes" }, place), { message: /set it to on or off/ });
    const env = { BATON_FINANCE_DATA_PACK: "current", BATON_DATA: join(tmpdir(), "no-such-folder") };
    assert.throws(() => requirePlace(env, place), { message: /data refresh` builds it/ });
    requirePlace({ ...env, BATON_FINANCE_DATA_PACK: "embedded" }, place);
  }
});
