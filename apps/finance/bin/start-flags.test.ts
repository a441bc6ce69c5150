import assert from "node:assert/strict";
import { test } from "node:test";
import { toDataFolder, toStart } from "./start-flags.ts";

test("the assistant's options become its variables, all others are passed on", () => {
  assert.deepEqual(toStart(["--port", "4000", "--live", "--without", "cboe,yahoo", "--data-pack=current", "--open"]), {
    args: ["--port", "4000", "--open"],
    env: {
      BATON_FINANCE_DATA: "live",
      BATON_FINANCE_WITHOUT: "cboe,yahoo",
      BATON_FINANCE_DATA_PACK: "current",
    },
  });
  assert.deepEqual(toStart(["--offline"]), { args: [], env: { BATON_FINANCE_DATA: "offline" } });
  assert.deepEqual(toStart([]), { args: [], env: {} });
  const secContact = "lan@example.org";
  assert.deepEqual(toStart(["--sec-contact", secContact]), { args: [], env: {}, secContact });
});

test("an option without its value, one that contradicts another, and one that is gone are errors", () => {
  assert.throws(() => toStart(["--without"]), { message: "--without needs a value" });
  assert.throws(() => toStart(["--without", "--live"]), { message: "--without needs a value" });
  assert.throws(() => toStart(["--offline=yes"]), { message: "--offline takes no value" });
  assert.throws(() => toStart(["--offline", "--live"]), { message: "--live contradicts another option (offline)" });
  assert.throws(() => toStart(["--sources", "cboe"]), { message: /^--sources is gone: .*--without yahoo$/ });
});

test("the data folder is the option's, the variable's or the usual one", () => {
  assert.equal(toDataFolder(["--data", "here"], { BATON_DATA: "there" }), "here");
  assert.equal(toDataFolder(["--data=here"], {}), "here");
  assert.equal(toDataFolder([], { BATON_DATA: "there" }), "there");
  assert.equal(toDataFolder([], {}), ".baton");
});
