/** A question is answered by the form that its schema asks for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf, readAnswer } from "./answer-form.ts";

test("choices are buttons, text and numbers are fields, the rest is JSON", () => {
  assert.deepEqual(formOf({ enum: ["allow", "deny"] }), { kind: "choice", values: ["allow", "deny"] });
  assert.deepEqual(formOf({ type: "boolean" }), { kind: "choice", values: [true, false] });
  assert.deepEqual(formOf({ type: ["string", "null"] }), { kind: "text" });
  assert.deepEqual(formOf({ anyOf: [{ type: "null" }, { type: "integer" }] }), { kind: "number" });
  assert.deepEqual(formOf({ type: "object" }), { kind: "json" });
  assert.deepEqual(formOf({}), { kind: "json" });
  const edit = { type: "object", properties: { decision: { const: "edit" }, args: {} } };
  assert.deepEqual(formOf({ anyOf: [{ enum: ["allow", "deny"] }, edit] }), { kind: "approval" });
});

test("what does not fit the form is no answer", () => {
  assert.equal(readAnswer({ kind: "number" }, "4.5"), 4.5);
  assert.equal(readAnswer({ kind: "number" }, " "), undefined);
  assert.equal(readAnswer({ kind: "text" }, "4.5"), "4.5");
  assert.deepEqual(readAnswer({ kind: "json" }, '{"a":[1,null]}'), { a: [1, null] });
  assert.equal(readAnswer({ kind: "json" }, "{"), undefined);
});
