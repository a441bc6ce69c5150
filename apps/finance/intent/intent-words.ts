/**
 * Intent words: one sentence each on what is asked and on what the rules go by, in the language of the answer.
 */
import type { Listing } from "../market/port/listing.ts";
import type { QuestionLanguage, QueryType } from "./intent.ts";
import type { Understood } from "./understood.ts";

const KINDS: Readonly<Record<QueryType, Readonly<Record<QuestionLanguage, string>>>> = {
  stock_price: { en: "price", vi: "giá" },
  stock_analysis: { en: "analysis", vi: "phân tích" },
  technical: { en: "technical analysis", vi: "phân tích kỹ thuật" },
  fundamental: { en: "fundamentals", vi: "phân tích cơ bản" },
  comparison: { en: "comparison", vi: "so sánh" },
  news: { en: "news", vi: "tin tức" },
  screener: { en: "list of stocks", vi: "danh sách cổ phiếu" },
  crypto: { en: "crypto", vi: "tiền mã hóa" },
  market: { en: "market", vi: "thị trường" },
  greeting: { en: "greeting", vi: "lời chào" },
  help: { en: "help", vi: "trợ giúp" },
  general: { en: "general question", vi: "câu hỏi chung" },
  chitchat: { en: "small talk", vi: "trò chuyện" },
  clarification: { en: "needs a clarification", vi: "cần làm rõ" },
  memory_recall: { en: "earlier conversation", vi: "cuộc trò chuyện trước" },
  follow_up: { en: "follow-up", vi: "câu hỏi tiếp nối" },
};

/** What is asked, and why the rules think so. */
export function describeIntent(
  type: QueryType,
  listings: readonly Listing[],
  { language, topics, isFollowUp, named }: Understood,
): Readonly<{ reasoning: string; intent_summary: string }> {
  const kind = KINDS[type][language];
  const symbols = listings.map(({ symbol }) => symbol).join(", ");
  const intent_summary = symbols === "" ? kind : `${kind}: ${symbols}`;
  const found = [...topics].join(", ");
  const words =
    language === "vi"
      ? { topics: "chủ đề", none: "không có chủ đề", from: "tiếp câu trước", unknown: "không rõ" }
      : { topics: "topics", none: "no topic", from: "continues the question before", unknown: "not known" };
  const parts = [
    found === "" ? words.none : `${words.topics}: ${found}`,
    ...(isFollowUp ? [words.from] : []),
    ...(named.unknown.length > 0 ? [`${words.unknown}: ${named.unknown.join(", ")}`] : []),
  ];
  return { reasoning: parts.join("; "), intent_summary };
}
