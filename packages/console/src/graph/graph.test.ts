/** The words of a graph: agents by their names, rules as a person says them, and texts cut only if there is no room. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { EN } from "../words/en/en.ts";
import { VI } from "../words/vi/vi.ts";
import { toAgentNames } from "./agent-names.ts";
import { longestFit } from "./fit-text.ts";
import { arrowLabelText } from "./arrow-label-text.ts";

suite("the words of a graph", () => {
  test("agents are called by their names; those who share one are told apart, those without one have their id", () => {
    const agents = [
      { id: "teacher", name: "Ms Hale" },
      { id: "left", name: "Kim" },
      { id: "right", name: "Kim" },
      { id: "plain", name: "" },
    ];
    assert.deepEqual(Object.fromEntries(toAgentNames({ agents })), {
      teacher: "Ms Hale",
      left: "Kim (left)",
      right: "Kim (right)",
      plain: "plain",
    });
  });

  test("a cut text is the longest beginning that fits", () => {
    const property = fc.property(
      fc.string({ minLength: 2, maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      (text, room) => {
        const characters = Array.from(text);
        fc.pre(characters.length > room);
        const cut = longestFit(characters, (part) => Array.from(part).length <= room);
        assert.equal(cut, `${characters.slice(0, room).join("").trimEnd()}…`);
      },
    );
    fc.assert(property);
  });

  test("rules are said in the reader's language; signals and conditions stay as they are", () => {
    assert.equal(arrowLabelText(EN, "(handoff target)"), "(next agent)");
    assert.equal(arrowLabelText(VI, "(handoff target)"), "(tác tử kế tiếp)");
    for (const label of ["[END]", "route: planner", "(default of mine)", "constructor"])
      assert.equal(arrowLabelText(EN, label), label);
  });
});
