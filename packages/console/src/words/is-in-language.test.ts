/** The language of a text is told by its letters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInLanguage } from "./is-in-language.ts";

test("Vietnamese is known by its marks, composed or not", () => {
  for (const text of ["Máy tính của tôi chậm lắm", "giá cổ phiếu apple hôm nay", "ĐĂNG NHẬP"]) {
    assert.ok(isInLanguage(text, "vi"));
    assert.ok(isInLanguage(text.normalize("NFD"), "vi"));
    assert.ok(!isInLanguage(text, "en"));
  }
});

test("a text without such marks is English, also with a café in it; one in another script is neither", () => {
  for (const text of ["Hello!", "Meet me at the café", "BTC price", "192.168.1.50"]) {
    assert.ok(isInLanguage(text, "en"));
    assert.ok(!isInLanguage(text, "vi"));
  }
  for (const text of ["こんにちは", "привет"]) assert.ok(!isInLanguage(text, "en") && !isInLanguage(text, "vi"));
});
