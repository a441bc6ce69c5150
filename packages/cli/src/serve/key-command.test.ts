import assert from "node:assert/strict";
import { test } from "node:test";
import { inFolder } from "../testing/command.ts";
import { configure } from "./config.ts";
import { toKeyCommand } from "./key-command.ts";

const CREATE = "baton keys create --tenant NAME --scopes run,read";

test("the command that makes a key names the store as this one was named, and no password", async () => {
  const commandOf = async (flags: [string, string][], env: Record<string, string> = {}) =>
    toKeyCommand(await configure({ flags: new Map(flags), positionals: [] }, env));
  assert.equal(await commandOf([]), CREATE);
  assert.equal(await commandOf([["data", "d"]]), `${CREATE} --data d`);
  assert.equal(await commandOf([["postgres", "postgres://u:p@h/d"]]), `${CREATE} --postgres URL`);
  assert.equal(await commandOf([["data", "d"]], { BATON_POSTGRES: "postgres://u:p@h/d" }), CREATE);
  assert.equal(await commandOf([], { BATON_DATA: "d" }), CREATE);
  await inFolder({ "b.yaml": "data: d\n" }, async (cwd) => {
    assert.equal(await commandOf([["config", `${cwd}/b.yaml`]]), `${CREATE} --config ${cwd}/b.yaml`);
  });
});
