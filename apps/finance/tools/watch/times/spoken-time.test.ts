import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { WatchLanguage } from "../own-provenance.ts";
import { describeCron } from "./cron-text.ts";
import { parseSpokenTime } from "./spoken-time.ts";

type Case = readonly [sentence: string, cron: string | undefined, rest?: string, timeZone?: string];

const ENGLISH: readonly Case[] = [
  ["every weekday 08:30 brief my watchlist", "30 8 * * 1-5", "brief my watchlist"],
  ["Every weekday at 8:30am, brief my watchlist", "30 8 * * 1-5", "brief my watchlist"],
  ["brief my watchlist at 7 every morning", "0 7 * * *", "brief my watchlist"],
  ["on the 1st of each month at noon", "0 12 1 * *", ""],
  ["every Friday after close", "15 16 * * 5", "", "America/New_York"],
  ["every hour", "0 * * * *", ""],
  ["every 2 hours show BTC", "0 */2 * * *", "show BTC"],
  ["every half hour show BTC", "*/30 * * * *", "show BTC"],
  ["each trading day before the open give me the S&P 500", "0 9 * * 1-5", "give me the S&P 500", "America/New_York"],
  ["Mondays and Thursdays at 7pm send me the news", "0 19 * * 1,4", "send me the news"],
  ["every Mon, Wed and Fri at 6:45 p.m. send news", "45 18 * * 1,3,5", "send news"],
  ["every thu 2pm", "0 14 * * 4"],
  ["Monday through Thursday at 10:00 list gainers", "0 10 * * 1,2,3,4", "list gainers"],
  ["mon-fri 9:15 New York time summarize the market", "15 9 * * 1-5", "summarize the market", "America/New_York"],
  ["every evening at 8 tell me how BTC did", "0 20 * * *", "tell me how BTC did"],
  ["every night at 12", "0 0 * * *"],
  ["every day at midnight UTC", "0 0 * * *", "", "UTC"],
  ["every day at 12am", "0 0 * * *"],
  ["every day at 12 pm", "0 12 * * *"],
  ["every afternoon at half past three", "30 15 * * *"],
  ["every day at quarter to nine", "45 8 * * *"],
  ["daily at 9 and 15", "0 9,15 * * *"],
  ["once a week send me my portfolio", "0 8 * * 1", "send me my portfolio"],
  ["every weekend at 10am", "0 10 * * 0,6"],
  ["monthly on the 15th at 10:00 review my portfolio", "0 10 15 * *", "review my portfolio"],
  ["on the 1st and 15th of every month at 9:00", "0 9 1,15 * *"],
  ["every 5th at 9:00", "0 9 5 * *"],
  ["the last Friday of every month at 5pm", "0 17 * * 5#L"],
  ["first Monday of each month at 9am", "0 9 * * 1#1"],
  ["last day of every month at 18:00", "0 18 L * *"],
  ["every quarter at 8:00", "0 8 1 1,4,7,10 *"],
  ["hourly during market hours tell me SPY", "0 10-16 * * 1-5", "tell me SPY", "America/New_York"],
  ["every weekday at 8:30 Asia/Ho_Chi_Minh", "30 8 * * 1-5", "", "Asia/Ho_Chi_Minh"],
  ["after every close tell me the gainers", "15 16 * * 1-5", "tell me the gainers", "America/New_York"],
];

const VIETNAMESE: readonly Case[] = [
  ["mỗi sáng thứ hai lúc 9h", "0 9 * * 1", ""],
  ["moi sang thu hai luc 9h tom tat danh muc cua toi", "0 9 * * 1", "tom tat danh muc cua toi"],
  ["hàng ngày 7:30 tối", "30 19 * * *", ""],
  ["hang ngay 7:30 toi gui cho toi tin tuc", "30 19 * * *", "gui cho toi tin tuc"],
  ["gửi cho tôi tin tức mỗi ngày lúc 7:30", "30 7 * * *", "gửi cho tôi tin tức"],
  ["gui cho toi moi ngay luc 7:30", "30 7 * * *", "gui cho toi"],
  ["mỗi tối 8h báo giá BTC", "0 20 * * *", "báo giá BTC"],
  ["9h30 sáng thứ 2 đến thứ 6 tóm tắt thị trường", "30 9 * * 1-5", "tóm tắt thị trường"],
  ["thứ 2, 4, 6 hàng tuần lúc 9 giờ rưỡi tóm tắt thị trường", "30 9 * * 1,3,5", "tóm tắt thị trường"],
  ["mỗi chủ nhật lúc 10 giờ sáng", "0 10 * * 0"],
  ["T7 hàng tuần lúc 8h", "0 8 * * 6"],
  ["mỗi 2 giờ xem giá BTC", "0 */2 * * *", "xem giá BTC"],
  ["15 phút một lần xem giá BTC", "*/15 * * * *", "xem giá BTC"],
  ["cứ nửa tiếng xem giá BTC", "*/30 * * * *", "xem giá BTC"],
  ["mỗi ngày lúc 3 giờ chiều giờ Việt Nam báo giá VNM", "0 15 * * *", "báo giá VNM", "Asia/Ho_Chi_Minh"],
  ["hàng ngày lúc 6 giờ kém 15 chiều", "45 17 * * *"],
  ["12 giờ trưa hàng ngày", "0 12 * * *"],
  ["12 giờ đêm hàng ngày", "0 0 * * *"],
  ["12 giờ tối hàng ngày", "0 0 * * *"],
  ["ngày 1 và 15 hàng tháng lúc 8h sáng xem lại danh mục", "0 8 1,15 * *", "xem lại danh mục"],
  ["mùng 1 hàng tháng lúc 9h", "0 9 1 * *"],
  ["cuối mỗi tháng lúc 17h", "0 17 L * *"],
  ["thứ sáu hàng tuần sau phiên", "15 15 * * 5", "", "Asia/Ho_Chi_Minh"],
  ["mỗi ngày sau khi thị trường Mỹ đóng cửa tóm tắt", "15 16 * * 1-5", "tóm tắt", "America/New_York"],
  ["sáng nào cũng gửi tôi tin tức", "0 8 * * *", "gửi tôi tin tức"],
  ["các ngày trong tuần lúc 8 giờ 15 phút", "15 8 * * 1-5"],
];

/** What does not repeat, what cron cannot say, and what no clock shows. */
const NONE: readonly Case[] = [
  ["brief me tomorrow at 8", undefined],
  ["price of NVDA", undefined],
  ["what happened on Monday at 9", undefined],
  ["every other day at 9", undefined],
  ["every 5 hours", undefined],
  ["every 45 minutes", undefined],
  ["every day at 25:00", undefined],
  ["every day at 8:75", undefined],
  ["every day at 13pm", undefined],
  ["every day at 8:30 and 16:00", undefined],
  ["compare every stock in the list", undefined],
  ["tin mới nhất về NVDA", undefined],
  ["tin moi nhat ve NVDA", undefined],
  ["giá hàng hóa hôm nay", undefined],
  ["", undefined],
];

function check(cases: readonly Case[], language: WatchLanguage): void {
  for (const [sentence, cron, rest, timeZone] of cases) {
    const found = parseSpokenTime(sentence, language);
    assert.equal(found?.cron, cron, sentence);
    if (rest !== undefined) assert.equal(found?.rest, rest, sentence);
    if (cron !== undefined) assert.equal(found?.timeZone, timeZone, sentence);
  }
}

test("English sentences give the time they say, and the rest is what is asked for", () => check(ENGLISH, "en"));

test("Vietnamese sentences, with and without marks, give the time they say", () => check(VIETNAMESE, "vi"));

test("what does not repeat, or repeats in a way that cron cannot say, is not a time", () => {
  check(NONE.slice(0, 11), "en");
  check(NONE.slice(11), "vi");
});

test("a sentence without an hour says that the hour is assumed", () => {
  assert.equal(parseSpokenTime("every Monday", "en")?.isTimeSaid, false);
  for (const sentence of ["every Monday at 8", "every Monday at noon", "every hour", "every Monday after close"]) {
    assert.equal(parseSpokenTime(sentence, "en")?.isTimeSaid, true, sentence);
  }
});

test("the text says the time in the language of the sentence, with its zone", () => {
  const english = parseSpokenTime("every weekday 8:30 Vietnam time", "en");
  assert.equal(english?.text, "every weekday at 08:30, Asia/Ho_Chi_Minh");
  const vietnamese = parseSpokenTime("mỗi sáng thứ hai lúc 9h", "vi");
  assert.equal(vietnamese?.text, "thứ hai hàng tuần lúc 09:00");
});

const many = (least: number, most: number, count = 3) =>
  fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: count }).map((list) => {
    return list.toSorted((a, b) => a - b).join(",");
  });
const weekdays = many(0, 6, 6).map((days) => (days === "1,2,3,4,5" ? "1-5" : days));
const days = fc.oneof(
  fc.constantFrom("* * *", "* * 1-5", "L * *", "1 1,4,7,10 *"),
  weekdays.map((field) => `* * ${field}`),
  many(1, 31).map((field) => `${field} * *`),
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom("1", "L")).map(([day, nth]) => `* * ${day}#${nth}`),
);
const daily = fc.tuple(fc.integer({ min: 0, max: 59 }), many(0, 23), days).map((fields) => fields.join(" "));
const short = fc.constantFrom("* * * * *", "*/5 * * * *", "*/30 * * * *", "0 * * * *", "0 */6 * * *", "*/15 * * * 1-5");
const zone = fc.constantFrom(undefined, "Asia/Ho_Chi_Minh", "America/New_York", "Europe/London");

test("every time that is said in words is read back as the same expression and zone, in both languages", () => {
  const language = fc.constantFrom<WatchLanguage>("en", "vi");
  fc.assert(
    fc.property(fc.oneof(daily, short), zone, language, (cron, timeZone, spokenIn) => {
      const text = describeCron(cron, { language: spokenIn, ...(timeZone !== undefined && { timeZone }) });
      const found = parseSpokenTime(text, spokenIn);
      assert.deepEqual([found?.cron, found?.timeZone, found?.rest, found?.text], [cron, timeZone, "", text], text);
    }),
    { numRuns: 200 },
  );
});

test("an expression that nobody says stays as it is", () => {
  for (const cron of ["5,35 * * * *", "0 9 13 * 5", "0 0 9 * * *", "nonsense"]) {
    assert.ok(describeCron(cron, { language: "en" }).includes(cron), cron);
  }
});

test("no text breaks the reader, and what it gives has five fields", () => {
  const words = fc.constantFrom(
    "every",
    "each",
    "at",
    "8",
    "30",
    ":",
    "am",
    "month",
    "last",
    "Monday",
    "to",
    "9h",
    "mỗi",
  );
  const more = fc.constantFrom(
    "sáng",
    "thứ",
    "2",
    "hàng",
    "tháng",
    "and",
    ",",
    "after",
    "close",
    "giờ",
    "kém",
    "1st",
    "-",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(words, more)).map((list) => list.join(" ")),
  );
  fc.assert(
    fc.property(text, fc.constantFrom<WatchLanguage>("en", "vi"), (sentence, language) => {
      const found = parseSpokenTime(sentence, language);
      if (found !== undefined) assert.equal(found.cron.split(" ").length, 5);
    }),
    { numRuns: 300 },
  );
});
