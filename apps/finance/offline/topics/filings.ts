/**
 * Filings: lists of documents, a section of one as quoted text, what insiders traded, and what large managers hold.
 */
import { z } from "zod";
import { toPlainText, toTable } from "../words/markdown.ts";
import { toQuoted } from "../words/quoted.ts";
import { dataOf, factsAt, hasRef, ref, told } from "../results.ts";
import { type Section, toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";

const TEXT = {
  en: {
    title: "Filings",
    list: (name: string) => `${name}: the newest filings with the SEC`,
    none: (name: string) => `${name}: there are no such filings`,
    head: ["Filed", "Form", "Title", "Number"],
    section: (heading: string, form: string, filed: string) =>
      `“${heading}” of the ${form} that was filed on ${filed} says, quoted as data`,
    cut: "Only the beginning is shown; the source has the whole text. Its numbers are not verified and are left out (…).",
    found: (query: string) => `filings that have “${query}”`,
    company: "Company",
    insiders: "Insiders",
    trades: (name: string) => `${name}: what insiders traded`,
    tradeHead: ["Date", "Who", "What", "Number", "Paid for each", "Amount"],
    institutions: "Large managers",
    holds: (manager: string, quarter: string) => `${manager} reported these holdings for ${quarter}`,
    holdingHead: ["Issuer", "Amount", "Part", "Number"],
  },
  vi: {
    title: "Hồ sơ",
    list: (name: string) => `${name}: các hồ sơ mới nhất nộp SEC`,
    none: (name: string) => `${name}: không có hồ sơ nào như vậy`,
    head: ["Ngày nộp", "Mẫu", "Tiêu đề", "Số hồ sơ"],
    section: (heading: string, form: string, filed: string) =>
      `mục “${heading}” của mẫu ${form} nộp ngày ${filed} viết, trích nguyên văn`,
    cut: "Chỉ hiển thị phần đầu; toàn văn ở nguồn. Các con số chưa được kiểm chứng nên được lược bỏ (…).",
    found: (query: string) => `các hồ sơ có “${query}”`,
    company: "Công ty",
    insiders: "Giao dịch nội bộ",
    trades: (name: string) => `${name}: giao dịch của người nội bộ`,
    tradeHead: ["Ngày", "Ai", "Giao dịch", "Số lượng", "Mỗi đơn vị", "Số tiền"],
    institutions: "Nhà quản lý quỹ lớn",
    holds: (manager: string, quarter: string) => `${manager} công bố các khoản nắm giữ của ${quarter}`,
    holdingHead: ["Tổ chức phát hành", "Số tiền", "Phần", "Số lượng"],
  },
} as const;

const MAX_ROWS = 20;
const FILING = z.looseObject({
  form: z.string(),
  filed: z.string(),
  accession: z.string(),
  title: z.string().optional(),
  form_name: z.string().optional(),
});
const FILINGS = z.looseObject({ symbol: z.string(), filings: z.array(FILING) });

/** Documents of companies, newest first; not said again if a section of one is shown. */
export const filings: Topic = (view, calls) => {
  if (view.calls.some(({ tool, status }) => tool === "readFilingSection" && status === "ok")) return undefined;
  const words = TEXT[view.language];
  const found = calls.flatMap((call) => dataOf(call, FILINGS) ?? []);
  if (found.length === 0) return undefined;
  const lead = found
    .map(({ symbol, filings: all }) => words[all.length === 0 ? "none" : "list"](toName(view, symbol)))
    .join("; ");
  const tables = found.flatMap(({ filings: all }) =>
    all.length === 0 ? [] : [toTable(words.head, all.slice(0, MAX_ROWS).map(toRow))],
  );
  return { title: words.title, lead: tables.length === 0 ? `${lead}.` : `${lead}:`, body: tables, facts: [] };
};

/** `Form 4` rather than a number. */
export const toForm = (form: string): string => toPlainText(/^\d+$/.test(form) ? `Form ${form}` : form);

const toRow = ({ filed, form, form_name, title, accession }: z.output<typeof FILING>): readonly string[] => [
  filed,
  toForm(form),
  toQuoted(title ?? form_name ?? "–", filed).text,
  `\`${accession.replaceAll("`", "")}\``,
];

const SECTION = z.looseObject({
  form: z.string(),
  filed: z.string(),
  section: z.string(),
  heading: z.string(),
  text: z.string(),
  is_cut: z.boolean(),
});
const MAX_PARAGRAPHS = 12;
const MAX_PARAGRAPH = 500;

/** The words of a document, quoted. */
export const filingSection: Topic = (view, calls): Section | undefined => {
  const words = TEXT[view.language];
  const found = calls.flatMap((call) => dataOf(call, SECTION) ?? []);
  const [first] = found;
  if (first === undefined) return undefined;
  const heading = toQuoted(first.heading === "" ? first.section : first.heading, first.filed).text;
  const body = found.flatMap(({ text, filed }) => [toQuotation(text, filed)]);
  return {
    title: heading,
    lead: `${words.section(heading, toForm(first.form), first.filed)}:`,
    body: [...body, words.cut],
    facts: [],
  };
};

/** Paragraphs as a quotation; each ends with its line. */
function toQuotation(text: string, day: string): string {
  const paragraphs = text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return paragraphs
    .slice(0, MAX_PARAGRAPHS)
    .map((line) => `> ${toQuoted(line, day, MAX_PARAGRAPH).text}`)
    .join("\n>\n");
}

const HITS = z.looseObject({ query: z.string(), hits: z.array(FILING.extend({ company: z.string() })) });

/** Documents that have words. */
export const filingHits: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const [found] = calls.flatMap((call) => dataOf(call, HITS) ?? []);
  if (found === undefined) return undefined;
  const [filed, form, , number] = words.head;
  const rows = found.hits
    .slice(0, MAX_ROWS)
    .map((hit) => [
      hit.filed,
      toQuoted(hit.company, hit.filed).text,
      toForm(hit.form),
      `\`${hit.accession.replaceAll("`", "")}\``,
    ]);
  const query = toQuoted(found.query).text;
  if (rows.length === 0) return { title: words.title, lead: `${words.none(`“${query}”`)}.`, body: [], facts: [] };
  return {
    title: words.title,
    lead: `${words.found(query)}:`,
    body: [toTable([filed, words.company, form, number], rows)],
    facts: [],
  };
};

const TRADES = z.looseObject({
  symbol: z.string(),
  trades: z.array(z.looseObject({ day: z.string(), owner: z.string(), action: z.string() })),
});

/** What insiders bought and sold. */
export const insiders: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const found = calls.flatMap((call) => {
    const data = dataOf(call, TRADES);
    return data === undefined ? [] : [{ call, data }];
  });
  if (found.length === 0) return undefined;
  const lead = found
    .map(({ call, data }) => [words.trades(toName(view, data.symbol)), ...toSums(view, call)].join(", "))
    .join("; ");
  const body = found.flatMap(({ call, data }) => {
    const rows = data.trades
      .slice(0, MAX_ROWS)
      .map(({ day, owner, action }, at) => [
        day,
        toQuoted(owner, day).text,
        toQuoted(action, day).text,
        ...["shares", "price", "value"].map((name) => ref(call, `data.trades[${at}].${name}`)),
      ]);
    return rows.length === 0 ? [] : [toTable(words.tradeHead, rows)];
  });
  return {
    title: words.insiders,
    lead: `${lead}.`,
    body,
    facts: found.flatMap(({ call }) => factsAt(call, (path) => !path.includes("by_month"))),
  };
};

function toSums({ language }: View, call: SeenCall): readonly string[] {
  return ["data.purchases.shares", "data.sales.shares"]
    .map((path) => told(call, path, language))
    .filter((part) => part !== "");
}

const HELD = z.looseObject({
  manager: z.string(),
  quarter: z.string(),
  holdings: z.array(z.looseObject({ issuer: z.string() })),
});

/** What a manager reported to hold. */
export const institutions: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, HELD);
  if (call === undefined || data === undefined) return undefined;
  const total = hasRef(call, "data.total_value") ? `, ${told(call, "data.total_value", view.language)}` : "";
  const rows = data.holdings
    .slice(0, MAX_ROWS)
    .map(({ issuer }, at) => [
      toQuoted(issuer).text,
      ...["value", "weight_percent", "shares"].map((name) => ref(call, `data.holdings[${at}].${name}`)),
    ]);
  const quarter = toPlainText(data.quarter.replace(/^(\d{4})(Q\d)$/, "$2 $1"));
  const lead = `${words.holds(toQuoted(data.manager).text, quarter)}${total}`;
  return {
    title: words.institutions,
    lead: rows.length === 0 ? `${lead}.` : `${lead}:`,
    body: rows.length === 0 ? [] : [toTable(words.holdingHead, rows)],
    facts: call.facts,
  };
};
