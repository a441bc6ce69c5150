/**
 * Direct: answers that need no data: greetings, help, thanks, terms of finance, and what cannot be answered here.
 *
 * No answer has a figure.
 */
import type { QuestionLanguage, QueryType } from "../intent/intent.ts";
import { GLOSSARY } from "./words/glossary.ts";
import { toList } from "./words/markdown.ts";
import { toTitle } from "./words/metric-names.ts";
import { nameOfUser } from "./words/preferences.ts";
import { hasAny, toSearchText } from "./words/search-text.ts";
import { toName, toNames } from "./section.ts";
import { lookedUpBy } from "./words/tool-topics.ts";
import { recalled } from "./topics/memory.ts";
import type { View } from "./view.ts";
import { toFooter } from "./words/words.ts";

const EXAMPLES: Readonly<Record<QuestionLanguage, readonly string[]>> = {
  en: ["NVDA technical analysis", "Compare AAPL and MSFT", "Biggest gainers today"],
  vi: ["Phân tích kỹ thuật NVDA", "So sánh AAPL và MSFT", "Các mã tăng mạnh nhất hôm nay"],
};

const TEXT = {
  en: {
    hello: (name: string) => `Hello, ${name}!`,
    greeting: "Hello! I look up stocks, coins and markets, and answer from facts.",
    help: [
      "I answer questions about stocks, coins and markets, by rules:",
      "prices, past prices and changes",
      "technical indicators with their usual readings",
      "statements, ratios, growth, earnings and dividends",
      "risk: volatility, value at risk, Sharpe ratio, drawdown",
      "comparisons, screener, movers, sectors, backtests and full reports",
      "filings, insider trades, rates, figures of economies and currencies, if their sources are turned on",
      "your portfolio, alerts, a watchlist and questions at set times, and what you ask me to remember",
    ],
    thanks: "You are welcome.",
    bye: "Goodbye.",
    chitchat: "I am fine, thank you; I am a program for questions about stocks, coins and markets.",
    try: "You could ask:",
    memory: "There is nothing that I remember about you yet; ask me to remember something.",
    effect: "Nothing was kept or changed: say plainly what I should remember, hold in your portfolio or watch.",
    scope: "That is outside of what I can answer: I look up stocks, coins and markets, and explain common terms.",
    off: (names: string) => `Tools are switched off, so I have no figures${names === "" ? "" : ` for ${names}`}.`,
    needs: (what: string) => `To answer I would look up ${what}; turn on \`enable_tools\` for that.`,
  },
  vi: {
    hello: (name: string) => `Xin chào ${name}!`,
    greeting: "Xin chào! Tôi tra cứu cổ phiếu, tiền mã hoá, thị trường và trả lời từ dữ kiện.",
    help: [
      "Tôi trả lời câu hỏi về cổ phiếu, tiền mã hoá và thị trường theo quy tắc:",
      "giá, giá trong quá khứ và mức thay đổi",
      "chỉ báo kỹ thuật kèm cách đọc thông dụng",
      "báo cáo tài chính, hệ số, tăng trưởng, lợi nhuận và cổ tức",
      "rủi ro: độ biến động, giá trị chịu rủi ro, tỷ số Sharpe, mức sụt giảm",
      "so sánh, lọc cổ phiếu, mã tăng giảm mạnh, ngành, kiểm thử chiến lược và báo cáo đầy đủ",
      "hồ sơ SEC, giao dịch nội bộ, lãi suất, số liệu kinh tế và tỷ giá, nếu nguồn được bật",
      "danh mục của bạn, cảnh báo, danh sách theo dõi, câu hỏi theo lịch và những gì bạn nhờ tôi ghi nhớ",
    ],
    thanks: "Rất vui được giúp bạn.",
    bye: "Tạm biệt bạn.",
    chitchat: "Tôi ổn, cảm ơn bạn; tôi là chương trình trả lời về cổ phiếu, tiền mã hoá và thị trường.",
    try: "Bạn có thể hỏi:",
    memory: "Tôi chưa ghi nhớ gì về bạn; hãy nhờ tôi ghi nhớ điều gì đó.",
    effect: "Chưa có gì được lưu hay thay đổi: hãy nói rõ điều cần ghi nhớ, cần đưa vào danh mục hoặc cần theo dõi.",
    scope:
      "Câu hỏi này nằm ngoài phạm vi của tôi: tôi tra cứu cổ phiếu, tiền mã hoá, thị trường và giải thích thuật ngữ.",
    off: (names: string) => `Công cụ đang tắt nên tôi không có số liệu${names === "" ? "" : ` của ${names}`}.`,
    needs: (what: string) => `Để trả lời tôi cần tra cứu ${what}; hãy bật \`enable_tools\`.`,
  },
} as const;

/** What a type of question would look up. */
const NEEDED: Partial<Record<QueryType, string>> = {
  stock_price: "getStockQuote",
  stock_analysis: "getStockQuote",
  technical: "getTechnicalIndicators",
  fundamental: "getIncomeStatement",
  comparison: "compareMetrics",
  news: "getStockNews",
  screener: "getScreener",
  crypto: "getCryptoQuote",
  market: "getMarketOverview",
  follow_up: "getStockQuote",
};

/** An answer in the pieces it is streamed in. */
export function writeDirect(view: View): readonly string[] {
  const blocks = [...toBlocks(view), toFooter(view.language)];
  return blocks.map((block, index) => (index === 0 ? block : `\n\n${block}`));
}

function toBlocks(view: View): readonly string[] {
  const { language, intent, question } = view;
  const words = TEXT[language];
  const examples = `${words.try}\n\n${toList(EXAMPLES[language])}`;
  const [first = "", ...items] = words.help;
  switch (intent?.query_type) {
    case "greeting":
      return [toGreeting(view), examples];
    case "help":
      return [first, toList(items), examples];
    case "chitchat":
      return [toSmallTalk(question, language)];
    case "memory_recall":
      return view.profile.length + view.summary.length > 0 ? toRemembered(view) : [words.memory, examples];
    case "general":
    case "clarification":
    case undefined:
      return toGeneral(question, language) ?? [isEffect(question) ? words.effect : words.scope, examples];
    default:
      return toData(view) ?? [words.scope, examples];
  }
}

function toGreeting(view: View): string {
  const name = nameOfUser(view);
  const { greeting, hello } = TEXT[view.language];
  return name === undefined ? greeting : `${hello(name)} ${greeting.slice(greeting.indexOf("!") + 2)}`;
}

/** What is known without a search. */
function toRemembered(view: View): readonly string[] {
  const section = recalled(view, []);
  return section === undefined ? [] : [toTitle(section.lead), ...section.body];
}

/** The answer to a data question that may not be looked up: what it would need. */
function toData(view: View): readonly string[] | undefined {
  const { language, intent, question, hasTools } = view;
  const words = TEXT[language];
  const symbols = intent?.validated_symbols ?? [];
  const [only = ""] = symbols;
  const names = symbols.length === 1 ? toName(view, only) : toNames(view, symbols);
  const tool = intent === undefined ? undefined : NEEDED[intent.query_type];
  if (!hasTools && tool !== undefined) return [words.off(names), words.needs(lookedUpBy(tool, language))];
  return toGeneral(question, language) ?? (isEffect(question) ? [words.effect] : undefined);
}

/** Up to two terms that a question names, the longest first. */
function toGeneral(question: string, language: QuestionLanguage): readonly string[] | undefined {
  const text = toSearchText(question);
  const found = GLOSSARY.flatMap((term) => {
    const longest = Math.max(0, ...term.keys.filter((key) => text.includes(` ${key} `)).map(({ length }) => length));
    return longest === 0 ? [] : [{ term, longest }];
  });
  const best = found.toSorted((one, other) => other.longest - one.longest).slice(0, 2);
  return best.length === 0 ? undefined : best.map(({ term }) => term[language]);
}

const THANKS = ["thanks", "thank", "thx", "cam on", "cam on ban"];
const BYE = ["bye", "goodbye", "see you", "tam biet", "hen gap lai"];
const EFFECTS = [
  "alert",
  "alerts",
  "watchlist",
  "portfolio",
  "remember",
  "canh bao",
  "theo doi",
  "danh muc",
  "ghi nho",
  "nho rang",
];

function toSmallTalk(question: string, language: QuestionLanguage): string {
  const words = TEXT[language];
  const text = toSearchText(question);
  if (hasAny(text, THANKS)) return words.thanks;
  return hasAny(text, BYE) ? words.bye : words.chitchat;
}

const isEffect = (question: string): boolean => hasAny(toSearchText(question), EFFECTS);
