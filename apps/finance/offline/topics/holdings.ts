/**
 * Holdings: what the user holds, what was changed, and what an import would change, with every row that was refused.
 */
import { z } from "zod";
import { toList, toPlainText, toTable } from "../words/markdown.ts";
import { dataOf, factsAt, headOf, ref, told } from "../results.ts";
import { toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TEXT = {
  en: {
    portfolio: "Portfolio",
    whole: "your portfolio",
    noValue: "no source has prices for it",
    left: "Left out",
    of: { value: "value", risk: "risk", beta: "beta", cost: "cost" },
    change: "Change",
    done: {
      added: "it is kept now",
      changed: "it is changed",
      unchanged: "it was so already",
      removed: "it is no longer kept",
      not_held: "it was not held",
    },
    trial: "Nothing was changed yet: this is what the import would write",
    imported: "the import is done: these holdings are kept",
    reply: "To write them, reply “yes, import it”; to leave it, ask something else.",
    replaces: (account: string, symbols: string) => `In account “${account}” the lots of ${symbols} are replaced.`,
    removes: (account: string, symbols: string) =>
      `In account “${account}” these are no longer in the file and are removed: ${symbols}.`,
    refused: "Refused rows:",
    cash: "Cash, which is not kept:",
    skipped: "Rows that are no holdings:",
    line: "Line",
    account: "Account",
    bought: "Bought on",
  },
  vi: {
    portfolio: "Danh mục",
    whole: "danh mục của bạn",
    noValue: "chưa có nguồn nào có giá",
    left: "Không tính được",
    of: { value: "giá trị", risk: "rủi ro", beta: "beta", cost: "vốn" },
    change: "Thay đổi",
    done: {
      added: "đã lưu",
      changed: "đã sửa",
      unchanged: "vẫn như trước",
      removed: "không còn giữ",
      not_held: "vốn không có",
    },
    trial: "Chưa có gì thay đổi: đây là những gì sẽ được nhập",
    imported: "đã nhập xong: các khoản sau được lưu",
    reply: "Để lưu, hãy trả lời “đồng ý, nhập đi”; nếu không, cứ hỏi câu khác.",
    replaces: (account: string, symbols: string) =>
      `Trong tài khoản “${account}”, các lô của ${symbols} được thay thế.`,
    removes: (account: string, symbols: string) =>
      `Trong tài khoản “${account}”, các mã không còn trong tệp bị xoá: ${symbols}.`,
    refused: "Các dòng bị từ chối:",
    cash: "Tiền mặt, không được lưu:",
    skipped: "Các dòng không phải khoản nắm giữ:",
    line: "Dòng",
    account: "Tài khoản",
    bought: "Ngày mua",
  },
} as const;

/** A holding that a figure is without. */
export const LEFT_OUT = z.looseObject({ symbol: z.string(), of: z.enum(["value", "risk", "beta", "cost"]) });
type LeftOut = z.output<typeof LEFT_OUT>;

const PORTFOLIO = z.looseObject({
  holdings: z.array(z.looseObject({ symbol: z.string(), name: z.string() })),
  left_out: z.array(LEFT_OUT).optional(),
});
const COLUMNS = ["quantity", "average_cost", "price", "value", "profit", "weight_percent"] as const;
const MAX_ROWS = 30;

/** What is held. */
export const holdings: Topic = (view, calls) => {
  const [call] = calls;
  const data = call === undefined ? undefined : dataOf(call, PORTFOLIO);
  if (call === undefined || data === undefined) return undefined;
  const words = TEXT[view.language];
  const rows = data.holdings
    .slice(0, MAX_ROWS)
    .map(({ symbol, name }, at) => [
      symbol,
      toPlainText(name),
      ...COLUMNS.map((column) => ref(call, `data.holdings[${at}].${column}`)),
    ]);
  const { symbol, name } = wordsOf(view.language);
  const heads = COLUMNS.map((column) =>
    headOf(call, (path) => path.startsWith("data.holdings[") && path.endsWith(`].${column}`), view.language),
  );
  const facts = factsAt(call, (path) => path.startsWith("data.totals") || path.startsWith("data.holdings"));
  const body = [toTable([symbol, name, ...heads], rows), ...toLeftOut(view, data.left_out ?? [])];
  return { title: words.portfolio, lead: `${toTotals(view, call)}.`, body, facts };
};

/** Value, profit and the day's change in one sentence. */
export function toTotals({ language }: View, call: SeenCall): string {
  const words = TEXT[language];
  const at = (name: string): string => told(call, `data.totals.${name}`, language);
  const percent = ref(call, "data.totals.profit_percent");
  const profit = at("profit") === "" ? "" : `${at("profit")} · ${percent}`;
  const said = [at("value"), profit, at("day_change")].filter((part) => part !== "");
  return `${words.whole}: ${at("value") === "" ? [words.noValue, ...said].join(", ") : said.join(", ")}`;
}

/** Which holdings figures are without. */
export function toLeftOut({ language }: View, left: readonly LeftOut[]): readonly string[] {
  const words = TEXT[language];
  const kinds = Map.groupBy(left, ({ of }) => of);
  const said = Array.from(kinds, ([of, all]) => {
    const symbols = [...new Set(all.map(({ symbol }) => symbol))].slice(0, MAX_ROWS);
    return `${symbols.map(toPlainText).join(", ")} (${words.of[of]})`;
  });
  return said.length === 0 ? [] : [`${words.left}: ${said.join("; ")}.`];
}

const SET = z.looseObject({
  symbol: z.string(),
  done: z.enum(["added", "changed", "unchanged", "removed", "not_held"]),
});

/** What was changed. */
export const holdingSet: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const said = calls.flatMap((call) => {
    const data = dataOf(call, SET);
    if (data === undefined) return [];
    const isHeld = data.done !== "removed" && data.done !== "not_held";
    const figures = isHeld ? ["quantity", "average_cost"].map((name) => told(call, `data.${name}`, view.language)) : [];
    const parts = [...figures.filter((part) => part !== ""), words.done[data.done]];
    return [`${toName(view, data.symbol)}: ${parts.join(", ")}`];
  });
  const [first, ...rest] = said;
  if (first === undefined) return undefined;
  const facts = calls.flatMap((call) =>
    factsAt(call, (path) => path === "data.quantity" || path === "data.average_cost"),
  );
  return { title: words.change, lead: `${first}.`, body: rest.length === 0 ? [] : [toList(rest)], facts };
};

const ROW = z.looseObject({ line: z.number(), text: z.string(), reason: z.string().optional() });
const IMPORT = z.looseObject({
  dry_run: z.boolean(),
  imported: z.boolean(),
  holdings: z.array(
    z.looseObject({
      symbol: z.string(),
      name: z.string(),
      line: z.number(),
      account: z.string().optional(),
      bought_on: z.string().optional(),
    }),
  ),
  accounts: z
    .array(
      z.looseObject({
        account: z.string(),
        replaces: z.array(z.string()).default([]),
        removes: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  refused: z.array(ROW).default([]),
  cash: z.array(ROW).default([]),
  skipped: z.array(ROW).default([]),
});

/** What an import would write, or has written. */
export const imported: Topic = (view, calls) => {
  const call = calls.at(-1);
  const data = call === undefined ? undefined : dataOf(call, IMPORT);
  if (call === undefined || data === undefined) return undefined;
  const words = TEXT[view.language];
  const { symbol, name } = wordsOf(view.language);
  const rows = data.holdings
    .slice(0, MAX_ROWS)
    .map((row, at) => [
      `#${row.line}`,
      row.symbol,
      toPlainText(row.name),
      ref(call, `data.holdings[${at}].quantity`),
      ref(call, `data.holdings[${at}].cost`),
      toPlainText(row.account ?? "–"),
    ]);
  const head = (column: string): string => headOf(call, (path) => path.endsWith(`].${column}`), view.language);
  const heads = { quantity: head("quantity"), cost: head("cost") };
  const table = toTable([words.line, symbol, name, heads.quantity, heads.cost, words.account], rows);
  const changes = data.accounts.flatMap(({ account, replaces, removes }) => [
    ...(replaces.length === 0 ? [] : [words.replaces(toPlainText(account), replaces.join(", "))]),
    ...(removes.length === 0 ? [] : [words.removes(toPlainText(account), removes.join(", "))]),
  ]);
  const body = [
    ...(rows.length === 0 ? [] : [table]),
    ...changes,
    ...toRows(words.refused, data.refused),
    ...toRows(words.cash, data.cash),
    ...toRows(words.skipped, data.skipped),
    ...(data.imported ? [] : [words.reply]),
  ];
  return {
    title: words.portfolio,
    lead: `${data.imported ? words.imported : words.trial}.`,
    body,
    facts: factsAt(call, (path) => path.startsWith("data.holdings")),
  };
};

const MAX_TEXT = 100;

/** Rows as they were pasted; the reason is the tool's own, in code. */
function toRows(title: string, rows: readonly z.output<typeof ROW>[]): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, MAX_ROWS).map(({ line, text, reason }) => {
    const why = reason === undefined ? "" : `: \`${reason.replaceAll("`", "").slice(0, 200)}\``;
    return `#${line} “${toPlainText(text.slice(0, MAX_TEXT))}”${why}`;
  });
  return [`${title}\n\n${toList(lines)}`];
}
