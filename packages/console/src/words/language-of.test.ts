/** The language of a text is told by its letters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isIn } from "./language-of.ts";

test("Vietnamese is known by its marks, composed or not", () => {
  for (const text of ["Máy tính của tôi chậm lắm", "giá cổ phiếu apple hôm nay", "ĐĂNG NHẬP"]) {
    assert.ok(isIn(text, "vi"));
    assert.ok(isIn(text.normalize("NFD"), "vi"));
    assert.ok(!isIn(text, "en"));
  }
});

test("a text without such marks is English, also with a café in it; one in another script is neither", () => {
  for (const text of ["Hello!", "Meet me at the café", "BTC price", "192.168.1.50"]) {
    assert.ok(isIn(text, "en"));
    assert.ok(!isIn(text, "vi"));
  }
  for (const text of ["こんにちは", "привет"]) assert.ok(!isIn(text, "en") && !isIn(text, "vi"));
});
