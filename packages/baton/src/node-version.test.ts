import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNode } from "./node-version.ts";

const MANIFEST = JSON.stringify({ name: "x", engines: { node: ">=22.18.0" } }, undefined, 2);

test("a Node that is too old is named together with the one that is needed, and nothing else is said", () => {
  for (const version of ["18.20.8", "20.0.0", "22.17.9", "9.99.99"]) {
    assert.throws(
      () => checkNode(version, MANIFEST),
      (error: Error) => {
        assert.equal(error.stack, `Baton needs Node 22.18 or newer; this is Node ${version}.`);
        return true;
      },
    );
  }
});

test("every newer Node will do, and sources ask for none", () => {
  for (const version of ["22.18.0", "22.18.1", "22.100.0", "24.0.0", "100.0.0"]) checkNode(version, MANIFEST);
  checkNode("0.1.0", '{ "name": "x" }');
});
