/** Where a piece of a prompt came from is said in the reader's language. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadWords } from "../../words/words.ts";
import { systemSourcesText, xraySourceText } from "./xray-source.ts";

const CASES = [
  [{ source: "turn 7", of: undefined }, "turn 7", "lượt 7"],
  [{ source: "turn 7", of: "7.2" }, "turn 7 · step 7.2", "lượt 7 · bước 7.2"],
  [{ source: "turn 4/quiz/student/1", of: "4/quiz/student/1.2" }, "turn 4 · step 4.2", "lượt 4 · bước 4.2"],
  [{ source: "call 2.1.1", of: "2.1.1" }, "call 2.1.1", "lần gọi 2.1.1"],
  [{ source: "input", of: undefined }, "the run's input", "đầu vào của lượt chạy"],
  [{ source: "input", of: "event 12" }, "the run's input · event 12", "đầu vào của lượt chạy · sự kiện 12"],
  [{ source: "state:summary", of: undefined }, "State summary", "Trạng thái summary"],
  [{ source: "tool:getPrice", of: undefined }, "getPrice", "getPrice"],
  [{ source: "something new", of: undefined }, "something new", "something new"],
] as const;

test("every source that the server names has words in both languages; one that is not known stays as it is", async () => {
  const [english, vietnamese] = await Promise.all([loadWords("en"), loadWords("vi")]);
  for (const [piece, en, vi] of CASES) {
    assert.equal(xraySourceText(piece, english), en);
    assert.equal(xraySourceText(piece, vietnamese), vi);
  }
});

test("a system prompt names its file and the agent's skills, each once", async () => {
  const words = await loadWords("en");
  const [own, skills] = [
    { source: "system_prompt", of: undefined },
    { source: "skills", of: undefined },
  ];
  assert.equal(systemSourcesText([own, own, skills], words, "agents/a.yaml:5"), "agents/a.yaml:5 · the agent's skills");
  assert.equal(systemSourcesText([own], words), "the agent's definition");
});
