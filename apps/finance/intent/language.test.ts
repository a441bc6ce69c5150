import assert from "node:assert/strict";
import { test } from "node:test";
import { detectLanguage } from "./language.ts";

test("diacritics, composed or not, make a text Vietnamese", () => {
  for (const text of ["giá vàng", "NVDA hôm nay", "là gì", "P/E của AAPL", "cổ tức KO", "Đức Giang"]) {
    assert.equal(detectLanguage(text), "vi", text);
    assert.equal(detectLanguage(text.normalize("NFD")), "vi", text);
  }
});

test("Vietnamese without diacritics is told by its words, also between English names", () => {
  for (const text of [
    "gia co phieu apple hom nay",
    "phan tich ky thuat NVDA",
    "so sanh microsoft voi google",
    "tin tuc tesla",
    "RSI cua AAPL la bao nhieu",
    "co nen mua bitcoin khong",
    "thi truong the nao",
    "loc co phieu duoi 20 do",
    "co phieu my it rui ro",
  ]) {
    assert.equal(detectLanguage(text), "vi", text);
  }
});

test("English stays English, with foreign names in it or not", () => {
  for (const text of [
    "price of AAPL",
    "Nestlé dividend yield",
    "Vinamilk stock price",
    "compare Hoa Phat and Hoa Sen",
    "what can you do",
    "is it a good day to buy the ban on chips",
    "how is Peloton doing",
    "L'Oréal revenue",
    "What is the price of Vinamilk in Hà Nội's market?",
    "Is Hòa Phát a good buy?",
    "Hòa Phát stock price",
    "What does cổ tức mean?",
    "how did the Thế Giới Di Động shares do",
    "price",
    "dividends",
  ]) {
    assert.equal(detectLanguage(text), "en", text);
  }
});

test("a Vietnamese sentence stays Vietnamese, with English terms in it or not", () => {
  for (const text of [
    "show top losers giúp mình",
    "phân tích technical chart, balance sheet, income and cash flow của FPT",
    "market cap cua Apple",
    "stock price FPT hom nay",
    "Giá Apple today",
    "GIÁ VÀNG HÔM NAY",
    "hi, giá FPT?",
    "giá",
    "vang",
    "P/E của Bank of America",
  ]) {
    assert.equal(detectLanguage(text), "vi", text);
  }
});

test("a text without words keeps the language before it, else it is English", () => {
  assert.equal(detectLanguage("NVDA", "vi"), "vi");
  assert.equal(detectLanguage("NVDA"), "en");
  assert.equal(detectLanguage("", "vi"), "vi");
  assert.equal(detectLanguage("Hà Nội", "en"), "en");
  assert.equal(detectLanguage("price of NVDA", "vi"), "en");
});
