import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReply } from "./answers.ts";
import type { AskedQuestion } from "../view/question-view.ts";

const LAMP: AskedQuestion = {
  type: "question.opened",
  question: "1.1.1/tool",
  kind: "tool",
  agent: "a",
  text: "Lamp is carried out by the client; answer with its result",
  call: "1.1.1",
  tool: "Lamp",
  args: {},
  schema: {},
};

const APPROVAL: AskedQuestion = {
  type: "question.opened",
  question: "1.1.2",
  kind: "approval",
  agent: "a",
  text: "Ada wants to use Wire",
  call: "1.1.2",
  tool: "Wire",
  args: {},
  schema: { enum: ["allow", "deny"] },
};

const told = (typed: readonly string[], ...questions: readonly AskedQuestion[]) => parseReply(typed, { questions });

test("the only open question takes JSON as it is, with the name of the question or without", () => {
  const value = { note: "a  =  b\nand 1.1.2=deny" };
  const json = JSON.stringify(value, undefined, 2);
  for (const typed of [[json], [`1.1.1/tool=${json}`], [`\n${json}\n`]]) {
    assert.deepEqual(told(typed, LAMP), { kind: "answers", answers: [{ question: "1.1.1/tool", value }] });
  }
});

test("JSON and words answer several questions in any order, in one text or in several", () => {
  const value = { note: "1.1.2=deny  x", list: [1, 2] };
  const json = JSON.stringify(value, undefined, 1);
  const expected = (order: readonly string[]) => ({
    kind: "answers",
    answers: order.map((question) => (question === "1.1.2" ? { question, value: "allow" } : { question, value })),
  });
  const [lamp, wire] = ["1.1.1/tool", "1.1.2"];
  assert.deepEqual(told([`1.1.1/tool=${json} 1.1.2=Allow`], LAMP, APPROVAL), expected([lamp, wire]));
  assert.deepEqual(told(["1.1.2=allow", `1.1.1/tool=${json}`], LAMP, APPROVAL), expected([wire, lamp]));
  assert.deepEqual(told([`1.1.2=allow\n1.1.1/tool=${json}\n`], LAMP, APPROVAL), expected([wire, lamp]));
});

test("an approval takes a word, a reason, arguments as JSON, or the answer itself", () => {
  const args = { to: "a = b", sum: 1 };
  const json = JSON.stringify(args);
  const cases: [string, unknown][] = [
    ["y", "allow"],
    ["NO", "deny"],
    ["n it is too much", { decision: "deny", reason: "it is too much" }],
    [`e ${json}`, { decision: "edit", args }],
    [`edit${json}`, { decision: "edit", args }],
    [JSON.stringify({ decision: "edit", args }), { decision: "edit", args }],
  ];
  for (const [typed, value] of cases) {
    assert.deepEqual(told([typed], APPROVAL), { kind: "answers", answers: [{ question: "1.1.2", value }] }, typed);
  }
  const both = told([`1.1.2=edit ${json} 1.1.1/tool=7`], LAMP, APPROVAL);
  const answers = [
    { question: "1.1.2", value: { decision: "edit", args } },
    { question: "1.1.1/tool", value: 7 },
  ];
  assert.deepEqual(both, { kind: "answers", answers });
  for (const typed of ["maybe", "allow it", "edit", "edit {"]) {
    assert.throws(() => told([typed], APPROVAL), {
      message: /does not answer "Ada wants to use Wire"; write allow, deny/,
    });
  }
});

test("an invalid answer gets an error with the valid ones and the tool's name", () => {
  const wrong: [readonly string[], readonly AskedQuestion[], RegExp][] = [
    [["on"], [LAMP], /^Lamp: the result is not valid JSON: .*; write the result as JSON$/],
    [
      ["7"],
      [{ ...LAMP, schema: { type: "boolean" } }],
      /^Lamp: the result does not match the schema: must be boolean, not number; /,
    ],
    [
      ["true"],
      [LAMP, APPROVAL],
      /^"true" does not answer an open question; write: 1\.1\.1\/tool=JSON 1\.1\.2=allow\|deny$/,
    ],
    [[""], [LAMP, APPROVAL], /^"" does not answer an open question; /],
    [["1.1.1/tool={ 1.1.2=allow"], [LAMP, APPROVAL], /^Lamp: the result is not valid JSON: /],
    [["1.1.1/tool=1 1.1.1/tool=2"], [LAMP, APPROVAL], /^question 1\.1\.1\/tool has two answers; remove one of them$/],
  ];
  for (const [typed, questions, message] of wrong) assert.throws(() => told(typed, ...questions), { message });
});
