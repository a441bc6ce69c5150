import assert from "node:assert/strict";
import { test } from "node:test";
import { styleLine } from "./styled-line.ts";
import { toPaint } from "./paint.ts";

const line = styleLine("a ", ["[GO]", "chip-1"], [" b", "dim"], ["c", "title-7"]);

test("without colour a line is its text", () => {
  assert.equal(toPaint(1)(line), "a [GO] bc");
});

test("with colour a chip loses its brackets but not its width, and there are enough colours for any agent", () => {
  assert.equal(toPaint(4)(line), "a \u001b[1;7;35m GO \u001b[0m\u001b[2m b\u001b[0m\u001b[1;35mc\u001b[0m");
  assert.match(toPaint(8)(line), /38;5;133m GO /);
});
