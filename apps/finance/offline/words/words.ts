/**
 * Words: what answers without a model say everywhere, in both languages.
 */
import type { QuestionLanguage } from "../../intent/intent.ts";

const WORDS = {
  en: {
    and: "and",
    metric: "Metric",
    symbol: "Symbol",
    name: "Name",
    period: "Period",
    day: "Date",
    to: "to",
    simulated: "On simulated data, ",
    partlySimulated: "On partly simulated data, ",
    overall: "Overall",
    noAdvice: "These are facts and risks by named rules, not an instruction to buy or sell; the decision is yours.",
    missedOne: "This schedule is late: one time before was missed while no server was running.",
    missedMany: (count: string) =>
      `This schedule is late: ${count} times before were missed while no server was running.`,
    many: "many",
    footer: "Offline rules, no language model",
    dataOf: (day: string) => `data of ${day}`,
  },
  vi: {
    and: "và",
    metric: "Chỉ tiêu",
    symbol: "Mã",
    name: "Tên",
    period: "Kỳ",
    day: "Ngày",
    to: "đến",
    simulated: "Theo dữ liệu mô phỏng, ",
    partlySimulated: "Theo dữ liệu có một phần mô phỏng, ",
    overall: "Chung",
    noAdvice:
      "Đây là dữ kiện và rủi ro theo các quy tắc đã nêu, không phải khuyến nghị mua hay bán; quyết định là của bạn.",
    missedOne: "Lịch hẹn này bị trễ: một lần trước đã bị lỡ khi máy chủ không chạy.",
    missedMany: (count: string) => `Lịch hẹn này bị trễ: ${count} lần trước đã bị lỡ khi máy chủ không chạy.`,
    many: "nhiều",
    footer: "Quy tắc ngoại tuyến, không có mô hình ngôn ngữ",
    dataOf: (day: string) => `dữ liệu ngày ${day}`,
  },
} as const;

/** The words of a language. */
export const wordsOf = (language: QuestionLanguage): (typeof WORDS)[QuestionLanguage] => WORDS[language];

/** The last line of an answer: no model wrote it, and of which day its data is. */
export function toFooter(language: QuestionLanguage, day?: string): string {
  const words = wordsOf(language);
  return `${words.footer}${day === undefined ? "" : ` · ${words.dataOf(day)}`}`;
}
