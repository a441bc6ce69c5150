/**
 * Missing: what an answer lacks, and what would bring it: calls without data, symbols with several meanings, failures.
 */
import type { Json } from "@baton/core";
import { z } from "zod";
import type { QuestionLanguage } from "../intent/intent.ts";
import { toPlainText } from "./words/markdown.ts";
import { lookedUpBy } from "./words/tool-topics.ts";
import type { FailedCall } from "../crew/run-state.ts";
import type { SeenCall, View } from "./view.ts";

const TEXT = {
  en: {
    none: (what: string, whose: string) => `There is no data for ${what}${whose}`,
    whose: (symbols: string) => ` of ${symbols}`,
    available: (what: string) => `; there is: ${what}`,
    enable: (setting: string) => `; \`${setting}\` brings it`,
    nowhere: { known: "; no source that can be turned on has it", unknown: "; no such symbol is known" },
    several: (text: string, symbols: string) => `"${text}" can mean several listings (${symbols}); please name one`,
    taken: (text: string, first: string, others: string) =>
      `"${text}" was taken as ${first}; it can also mean ${others}`,
    failed: (what: string, whose: string, why: string) => `${what}${whose} could not be looked up: ${why}`,
    undone: (what: string, whose: string, why: string) => `${what}${whose} was not made: ${why}`,
    unserved: (what: string, whose: string) => `There is no data for ${what}${whose}, so it was not set`,
    why: {
      not_configured: (setting: string) => `its source is not configured (\`${setting}\`)`,
      throttled: "its source asks to wait a while",
      plan: "the plan of the key does not include it",
      upstream: "its source did not answer",
      timeout: "it took too long",
      permission: "it is not what the question is about",
      other: "the call failed",
    },
    or: "or",
    empty: "There are no holdings in your portfolio yet: tell me what you own, or paste a table of holdings",
    noDraft: "There is no table to import: paste the rows of your broker first",
    noAlert: "There is no such alert",
    agreed: "you did not agree to the change",
  },
  vi: {
    none: (what: string, whose: string) => `Không có dữ liệu ${what}${whose}`,
    whose: (symbols: string) => ` của ${symbols}`,
    available: (what: string) => `; hiện có: ${what}`,
    enable: (setting: string) => `; bật \`${setting}\` để có dữ liệu này`,
    nowhere: { known: "; chưa có nguồn nào có thể bật để lấy dữ liệu này", unknown: "; không tìm thấy mã này" },
    several: (text: string, symbols: string) =>
      `"${text}" có thể là nhiều mã khác nhau (${symbols}); hãy nêu rõ một mã`,
    taken: (text: string, first: string, others: string) => `"${text}" được hiểu là ${first}; cũng có thể là ${others}`,
    failed: (what: string, whose: string, why: string) => `Không tra được ${what}${whose}: ${why}`,
    undone: (what: string, whose: string, why: string) => `Chưa thực hiện được ${what}${whose}: ${why}`,
    unserved: (what: string, whose: string) => `Không có dữ liệu cho ${what}${whose} nên chưa đặt được`,
    why: {
      not_configured: (setting: string) => `nguồn dữ liệu chưa được cấu hình (\`${setting}\`)`,
      throttled: "nguồn dữ liệu yêu cầu chờ thêm",
      plan: "gói của khoá không bao gồm dữ liệu này",
      upstream: "nguồn dữ liệu không trả lời",
      timeout: "quá thời gian chờ",
      permission: "mã này không thuộc câu hỏi",
      other: "lệnh gọi bị lỗi",
    },
    or: "hoặc",
    empty: "Danh mục của bạn chưa có gì: hãy nói bạn đang giữ gì, hoặc dán bảng danh mục",
    noDraft: "Chưa có bảng nào để nhập: hãy dán các dòng từ công ty chứng khoán trước",
    noAlert: "Không có cảnh báo nào như vậy",
    agreed: "bạn chưa đồng ý thay đổi này",
  },
} as const;

/** What the lack of data means for tools about the user's own. */
const OWN: ReadonlyMap<string, "empty" | "noDraft" | "noAlert"> = new Map([
  ["getPortfolio", "empty"],
  ["analyzePortfolio", "empty"],
  ["getPortfolioEvents", "empty"],
  ["importHoldings", "noDraft"],
  ["removeAlert", "noAlert"],
]);

/** A sentence for everything that is missing, without its end. */
export function toMissing(view: View): readonly string[] {
  const { calls, failures, language } = view;
  const lines = [
    ...calls.flatMap((call) => (call.status === "ok" ? [] : [toNone(call, view)])),
    ...failures.filter((failed) => !isAnswered(failed, calls)).map((failed) => toFailed(failed, language)),
    ...toTaken(view),
  ];
  return [...new Set(lines)];
}

/** A failure that a later call of the same tool made good. */
function isAnswered({ tool, args }: FailedCall, calls: readonly SeenCall[]): boolean {
  const asked = JSON.stringify(args);
  return calls.some((call) => call.tool === tool && JSON.stringify(call.args) === asked);
}

function toNone(call: SeenCall, { language, names }: View): string {
  const words = TEXT[language];
  const own = call.enable === undefined ? OWN.get(call.tool) : undefined;
  if (own !== undefined && call.status === "no_data") return words[own];
  const asked = symbolsIn(call.args).join(", ") || call.symbols.join(", ");
  if (call.status === "ambiguous") return words.several(toPlainText(asked), toPlainText(call.symbols.join(", ")));
  const whose = call.symbols.length > 0 ? call.symbols.join(", ") : asked;
  const { available, enable } = call;
  const isKnown = call.symbols.every((symbol) => names.has(symbol));
  const nowhere = available === undefined && enable === undefined ? words.nowhere[isKnown ? "known" : "unknown"] : "";
  return [
    words[CHANGING.test(call.tool) ? "unserved" : "none"](
      lookedUpBy(call.tool, language),
      whose === "" ? "" : words.whose(toPlainText(whose)),
    ),
    available === undefined ? "" : words.available(toAvailable(available, language)),
    enable === undefined ? "" : words.enable(enable.replaceAll("`", "")),
    nowhere,
  ].join("");
}

/** Symbols that the rules took in one of their meanings. */
function toTaken({ intent, language }: View): readonly string[] {
  const words = TEXT[language];
  return (intent?.ambiguous ?? []).flatMap(({ text, candidates }) => {
    const [first, ...others] = candidates.map(({ symbol, name, exchange }) =>
      toPlainText(`${symbol} (${name}, ${exchange})`),
    );
    if (first === undefined || others.length === 0) return [];
    return [words.taken(toPlainText(text), first, others.join(` ${words.or} `))];
  });
}

function toFailed({ tool, args, kind, message }: FailedCall, language: QuestionLanguage): string {
  const words = TEXT[language];
  const symbols = symbolsIn(args).join(", ");
  const what = lookedUpBy(tool, language);
  const whose = symbols === "" ? "" : words.whose(toPlainText(symbols));
  const isRefused = kind === "permission" && CHANGING.test(tool);
  const why = isRefused ? words.agreed : toWhy(kind, message, language);
  const sentence = words[CHANGING.test(tool) ? "undone" : "failed"](what, whose, why);
  return sentence.slice(0, 1).toLocaleUpperCase() + sentence.slice(1);
}

/** Tools that change what is kept. */
const CHANGING = /^(?:set|save|import|remove)[A-Z]/;

/** The reason in words; messages of sources are not repeated. */
function toWhy(kind: string, message: string, language: QuestionLanguage): string {
  const { why } = TEXT[language];
  const [cause = ""] = message.split(":", 1);
  if (cause === "not_configured") return why.not_configured(/\bset ([A-Z][A-Z_]*(?:=\w+)?)/.exec(message)?.[1] ?? "–");
  if (cause === "throttled" || cause === "plan" || cause === "upstream") return why[cause];
  return kind === "timeout" || kind === "permission" ? why[kind] : why.other;
}

const ARGS = z.looseObject({ symbol: z.string().optional(), symbols: z.array(z.string()).optional() });

function symbolsIn(args: Json): readonly string[] {
  const { symbol, symbols = [] } = ARGS.safeParse(args).data ?? {};
  return symbol === undefined ? symbols : [symbol, ...symbols];
}

const AVAILABLE: readonly (readonly [english: string, vietnamese: string])[] = [
  ["annual and quarter", "báo cáo năm và quý"],
  ["annual", "báo cáo năm"],
  ["quarter", "báo cáo quý"],
  ["simulated prices that end at", "giá mô phỏng kết thúc ngày"],
  ["reports of made-up companies, country", "báo cáo của công ty hư cấu, quốc gia"],
  ["windows inside real history; fictional companies", "khoảng thời gian có giá thực, công ty hư cấu"],
  ["daily bars", "phiên giao dịch"],
  ["daily returns", "lợi suất ngày"],
];

/** What there is, in the language as far as it is known. */
function toAvailable(text: string, language: QuestionLanguage): string {
  const [plain = ""] = text.split(": not ", 1);
  if (language === "en") return toPlainText(plain);
  return toPlainText(AVAILABLE.reduce((said, [english, vietnamese]) => said.replace(english, vietnamese), plain));
}
