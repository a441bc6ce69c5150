/**
 * Suggestions: three short questions that could follow an answer, about the same symbols.
 */
import type { QuestionLanguage, QueryType } from "../../intent/intent.ts";

type Ask = Readonly<Record<QuestionLanguage, (symbol: string) => string>>;

const ASK = {
  price: { en: (of: string) => `${of} price`, vi: (of: string) => `Giá ${of}` },
  technical: { en: (of: string) => `Technical analysis of ${of}`, vi: (of: string) => `Phân tích kỹ thuật ${of}` },
  risk: { en: (of: string) => `How risky is ${of}?`, vi: (of: string) => `Mức độ rủi ro của ${of}` },
  income: {
    en: (of: string) => `Income statement of ${of}`,
    vi: (of: string) => `Báo cáo kết quả kinh doanh của ${of}`,
  },
  ratios: { en: (of: string) => `Financial ratios of ${of}`, vi: (of: string) => `Hệ số tài chính của ${of}` },
  changes: {
    en: (of: string) => `How has ${of} changed over a year?`,
    vi: (of: string) => `${of} thay đổi thế nào trong một năm?`,
  },
  news: { en: (of: string) => `News about ${of}`, vi: (of: string) => `Tin tức về ${of}` },
  report: { en: (of: string) => `Full report on ${of}`, vi: (of: string) => `Báo cáo đầy đủ về ${of}` },
  coin: { en: (of: string) => `Past prices of ${of}`, vi: (of: string) => `Giá ${of} trong quá khứ` },
  compare: { en: (of: string) => `Compare ${of}`, vi: (of: string) => `So sánh ${of}` },
} satisfies Record<string, Ask>;

type Kind = keyof typeof ASK;

/** What comes next, by what was asked. */
const NEXT: Partial<Record<QueryType, readonly Kind[]>> = {
  stock_price: ["technical", "changes", "risk"],
  technical: ["risk", "changes", "income"],
  fundamental: ["ratios", "price", "risk"],
  comparison: ["risk", "technical", "ratios"],
  news: ["price", "technical", "report"],
  stock_analysis: ["technical", "income", "report"],
  crypto: ["coin", "risk", "technical"],
};
const USUAL: readonly Kind[] = ["price", "technical", "risk"];

const WITHOUT_SYMBOL: Readonly<Record<QuestionLanguage, readonly string[]>> = {
  en: ["Biggest gainers today", "How did the sectors do?", "AAPL price"],
  vi: ["Các mã tăng mạnh nhất hôm nay", "Các ngành biến động thế nào?", "Giá AAPL"],
};

/** What suggestions are about. */
export interface About {
  readonly language: QuestionLanguage;
  readonly type?: QueryType;
  readonly symbols: readonly string[];
}

/** Three questions. */
export function toSuggestions({ language, type, symbols }: About): readonly string[] {
  if (symbols.length === 0) return WITHOUT_SYMBOL[language];
  const [of = ""] = symbols;
  const kinds = (type === undefined ? undefined : NEXT[type]) ?? USUAL;
  const asked = kinds.map((kind) => ASK[kind][language](of));
  if (symbols.length < 2 || type === "comparison") return asked;
  return [ASK.compare[language](symbols.slice(0, 3).join(", ")), ...asked.slice(0, 2)];
}
