import assert from "node:assert/strict";
import { test } from "node:test";
import { toDataFolder, toStart } from "./start-flags.ts";

test("the assistant's options become its variables, and all others are passed on in their order", () => {
  assert.deepEqual(
    toStart(["--port", "0", "--live", "--sources", "cboe,yahoo", "--data", "d", "--data-pack=current"]),
    {
      args: ["--port", "0", "--data", "d"],
      env: { BATON_FINANCE_LIVE: "on", BATON_FINANCE_SOURCES: "cboe,yahoo", BATON_FINANCE_DATA_PACK: "current" },
    },
  );
  assert.deepEqual(toStart([]), { args: [], env: {} });
});

test("an option of the assistant without its value is refused", () => {
  for (const args of [["--sources"], ["--sources="], ["--data-pack", "--port"]]) {
    assert.throws(() => toStart(args), /^Error: --(sources|data-pack) needs a value$/);
  }
});

test("the data folder is that of the last --data, else of BATON_DATA", () => {
  assert.equal(toDataFolder(["--data", "a", "--port", "0", "--data=b"], { BATON_DATA: "c" }), "b");
  assert.equal(toDataFolder(["--port", "0"], { BATON_DATA: "c" }), "c");
  assert.equal(toDataFolder(["--data", "a"], {}), "a");
  assert.equal(toDataFolder([], { BATON_DATA: "" }), ".baton");
});
