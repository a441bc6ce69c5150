import assert from "node:assert/strict";
import { test } from "node:test";
import { findAnswerFaults } from "./answer-fault.ts";
import { languageOfText } from "./answer-language.ts";

test("an answer in the other language is a fault", () => {
  const english = "The price of Apple is not available for this day, and there is no other source in the data.";
  const vietnamese = "Giá của Apple trong ngày này không có, và cũng không có nguồn nào khác trong dữ liệu.";
  assert.deepEqual(findAnswerFaults(english, "en"), []);
  assert.deepEqual(findAnswerFaults(vietnamese, "vi"), []);
  assert.deepEqual(findAnswerFaults(english, "vi"), ["the answer is not in Vietnamese"]);
  assert.deepEqual(findAnswerFaults(vietnamese, "en"), ["the answer is not in English"]);
});

test("a table of symbols and a short text are not judged", () => {
  assert.deepEqual(findAnswerFaults("| AAPL | 229.87 |\n| MSFT | 417.26 |", "vi"), []);
  assert.deepEqual(findAnswerFaults("The price is 229.87.", "vi"), []);
});

test("names of the other language may be part of an answer", () => {
  const text = "The share price of Ngân hàng Thương mại Cổ phần Ngoại thương (VCB) is not in the data of this day.";
  assert.deepEqual(findAnswerFaults(text, "en"), []);
});

test("a link is a fault, however it is written", () => {
  for (const link of ["https://evil.example/a?b=1", "HTTP://evil.example", "www.evil.example"]) {
    const [fault] = findAnswerFaults(`See [this](${link}) now.`, "en");
    assert.equal(fault, `the answer has links, which only sources may give: ${link}`);
  }
});

test("the language of a text is that of its words", () => {
  assert.equal(languageOfText("Giá cổ phiếu Apple Inc. là 229,87 USD."), "vi");
  assert.equal(languageOfText("The price of Vinamilk (VNM.VN) is not available."), "en");
  assert.equal(languageOfText("AAPL 229.87"), undefined);
});
