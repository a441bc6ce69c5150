import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { classify } from "./classify.ts";
import { INTENT } from "./intent.ts";
import { SITUATION } from "./testing/directory.ts";
import { ENGLISH } from "./testing/english.ts";
import { VIETNAMESE } from "./testing/vietnamese.ts";
import { chooseTools, type ChosenCall } from "./calls/tool-choice.ts";

const toText = ({ tool, args }: ChosenCall): string =>
  Object.keys(args).length === 0 ? tool : `${tool}${JSON.stringify(args).replaceAll('"', "")}`;

for (const [language, table] of [
  ["en", ENGLISH],
  ["vi", VIETNAMESE],
] as const) {
  const lines = inSlice(table.split("\n").filter((line) => line !== ""));
  test(`${lines.length} questions in ${language} have their type, symbols, calls and language`, () => {
    const wrong: string[] = [];
    for (const line of lines) {
      const at = line.lastIndexOf(" => ");
      const question = line.slice(0, at);
      const intent = classify(question, SITUATION);
      INTENT.parse(intent);
      const calls = chooseTools(intent, question, SITUATION).map(toText).join("; ");
      const found = `${intent.query_type} | ${intent.validated_symbols.join(" ")} | ${calls}`.trimEnd();
      if (found !== line.slice(at + 4) || intent.response_language !== language) wrong.push(`${line} — ${found}`);
    }
    assert.deepEqual(wrong, []);
  });
}
