/** Answers about what is kept for a user: holdings, their risk, alerts, schedules and memory. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { answer, type Asked, assertSound, type Harness, openTools } from "./testing/answer.ts";

let harness: Harness;
before(async () => {
  harness = await openTools();
});

const LANGUAGES = ["en", "vi"] as const;
const OWN: readonly Asked[] = [
  ["setHolding", { symbol: "AAPL", quantity: 10, cost: 150 }],
  ["setHolding", { symbol: "NVDA", quantity: 20, cost: 98.5, account: "IRA" }],
];

/** The answer to the last of these calls, with what the others left. */
async function answerTo(calls: readonly Asked[], language: (typeof LANGUAGES)[number], more: object = {}) {
  const situation = { language, calls, ...more };
  const answered = await answer(harness, situation);
  assertSound(answered, situation);
  return answered;
}

test("a change of holdings is said with its quantity and cost", async () => {
  const english = await answerTo(OWN, "en");
  assert.match(english.text, /^Apple Inc\. \(AAPL\): quantity held 10, average cost \$150\.00, it is kept now/);
  assert.match(english.text, /NVDA\): quantity held 20/);
  const vietnamese = await answerTo([...OWN, ["setHolding", { symbol: "AAPL", quantity: 0, action: "remove" }]], "vi");
  assert.match(vietnamese.text, /AAPL\): không còn giữ/);
});

test("the portfolio is a table with its value first", async () => {
  for (const language of LANGUAGES) {
    const { text, figures } = await answerTo([...OWN, ["getPortfolio", {}]], language, {
      intent: { query_type: "stock_analysis" },
    });
    assert.match(text, language === "en" ? /Your portfolio: value \$/ : /Danh mục của bạn: giá trị/);
    assert.match(text, /\| NVDA \|/);
    assert.ok(figures > 8, text);
  }
});

test("risk, sectors and a supposed fall are told with figures of the tool alone", async () => {
  for (const language of LANGUAGES) {
    const risk = await answerTo([...OWN, ["analyzePortfolio", {}]], language);
    assert.match(risk.text, language === "en" ? /risk score/ : /điểm rủi ro/);
    assert.match(risk.text, language === "en" ? /\| Beta to \^GSPC \|/ : /\| Beta so với \^GSPC \|/);
    const fall = await answerTo(
      [
        ["setHolding", { symbol: "NVDA", quantity: 20 }],
        ["analyzePortfolio", { shocks: [{ symbol: "NVDA", percent: -20 }] }],
      ],
      language,
    );
    assert.match(
      fall.text,
      language === "en"
        ? /portfolio changes by -\$.* if NVIDIA Corporation \(NVDA\) falls as you suppose/
        : /thay đổi -.*nếu NVIDIA Corporation \(NVDA\) giảm như bạn nêu/,
    );
  }
});

test("an empty portfolio is said to be empty, with what to do", async () => {
  for (const tool of ["getPortfolio", "analyzePortfolio"] as const) {
    const { text } = await answerTo([[tool, {}]], "en");
    assert.match(text, /no holdings in your portfolio yet.*paste a table/);
    assert.match((await answerTo([[tool, {}]], "vi")).text, /chưa có gì/);
  }
});

test("an import shows its rows, those that were refused, and what to reply; then that it is done", async () => {
  const csv = "Symbol,Quantity,Cost\nAAPL,10,150\nNOSUCHTICKER,5,20\nMSFT,abc,300\nKO,40,58.2";
  for (const language of LANGUAGES) {
    const trial = await answerTo([["importHoldings", { csv }]], language);
    assert.match(trial.text, language === "en" ? /^Nothing was changed yet/ : /^Chưa có gì thay đổi/);
    assert.match(trial.text, /\| #2 \| AAPL \|/);
    assert.match(trial.text, /#3 “NOSUCHTICKER/);
    assert.match(trial.text, language === "en" ? /reply “yes, import it”/ : /trả lời “đồng ý, nhập đi”/);
    const done = await answerTo(
      [
        ["importHoldings", { csv }],
        ["importHoldings", { csv, dry_run: false }],
      ],
      language,
    );
    assert.match(done.text, language === "en" ? /^The import is done/ : /^Đã nhập xong/);
  }
});

test("alerts are told when they are set, listed and removed, by their condition and never by a bare number", async () => {
  const set: Asked = ["setAlert", { symbol: "NVDA", kind: "price_above", value: 500 }];
  for (const language of LANGUAGES) {
    const one = await answerTo([set], language);
    assert.match(one.text, language === "en" ? /rises above the alert level \$500/ : /lên trên mức cảnh báo 500/);
    const list = await answerTo([set, ["setWatchlist", { symbols: ["AAPL", "FPT.VN"] }], ["listAlerts", {}]], language);
    assert.match(list.text, /FPT\.VN/);
    const gone = await answerTo([set, ["removeAlert", { symbol: "NVDA" }]], language, {
      intent: { query_type: "general" },
    });
    assert.match(gone.text, language === "en" ? /[Rr]emoved/ : /[Đđ]ã xoá/);
    const none = await answerTo([["listAlerts", {}]], language);
    assert.match(none.text, language === "en" ? /no alerts/ : /chưa có cảnh báo/i);
  }
});

test("a schedule says when it is asked and in which zone", async () => {
  const call: Asked = [
    "setSchedule",
    { cron: "30 8 * * 1-5", time_zone: "Asia/Ho_Chi_Minh", ask: "brief my watchlist" },
  ];
  assert.match(
    (await answerTo([call], "en")).text,
    /every weekday at 08:30.*“brief my watchlist”[\s\S]*Asia\/Ho\\_Chi\\_Minh/,
  );
  await answerTo([call], "vi");
});

test("what is remembered is repeated in the user's words, numbers included; secrets are not", async () => {
  const save: Asked = ["saveToMemory", { content: "I invest 500 USD a month", category: "fact" }];
  for (const language of LANGUAGES) {
    const saved = await answerTo([save], language);
    assert.match(saved.text, /“I invest 500 USD a month”/);
    const refused = await answerTo(
      [["saveToMemory", { content: "my card is 4111 1111 1111 1111", category: "fact" }]],
      language,
    );
    assert.doesNotMatch(refused.text, /4111/);
    assert.match(refused.text, language === "en" ? /did not keep.*card number/ : /không lưu.*số thẻ/);
    const recalled = await answerTo([save, ["searchMemory", { query: "invest" }]], language, {
      values: { profile: "<USER_PROFILE>\n- call me Lan\n- I have 2 children\n</USER_PROFILE>" },
      intent: { query_type: "memory_recall" },
    });
    assert.match(recalled.text, /- call me Lan\n- I have 2 children\n- I invest 500 USD a month/);
  }
});

test("a greeting has the user's name, and short answers have one table", async () => {
  const values = { profile: "<USER_PROFILE>\n- call me Lan\n- prefers short answers\n</USER_PROFILE>" };
  const hello = await answer(harness, {
    language: "en",
    agent: "direct",
    question: "hello",
    intent: { query_type: "greeting" },
    values,
  });
  assert.match(hello.text, /^Hello, Lan! I look up/);
  const brief = await answerTo([...OWN, ["analyzePortfolio", {}]], "en", { values: { ...values, facts: [] } });
  assert.ok(brief.text.split("| --- |").length <= 4, brief.text);
});

test("an alert that fired is the first sentence, then the price; a late schedule says how many times were missed", async () => {
  const options = {
    alert: {
      id: "a",
      symbol: "NVDA",
      kind: "price_above",
      value: 150,
      text: "NVDA is above 150 USD: 151.2 USD",
      language: "en",
    },
    schedule: { name: "a", missed: 0 },
  };
  const { text } = await answerTo([["getStockPrice", { symbol: "NVDA" }]], "en", { values: { options } });
  assert.match(text, /^NVDA is above 150 USD: 151\.2 USD\.\n\n.*NVDA\): price/);
  const late = { options: { schedule: { name: "s", missed: 3 } } };
  assert.match(
    (await answerTo([["getMarketOverview", {}]], "en", { values: late })).text,
    /^This schedule is late: three times/,
  );
  assert.match(
    (await answerTo([["getMarketOverview", {}]], "vi", { values: late })).text,
    /^Lịch hẹn này bị trễ: ba lần/,
  );
});
