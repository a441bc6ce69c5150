/**
 * News: headlines with their day and source, quoted. Their numbers are not verified, so they are left out.
 */
import { toList } from "../words/markdown.ts";
import { type Quoted, toQuoted } from "../words/quoted.ts";
import { toName, toNames, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";

const TEXT = {
  en: {
    title: "News",
    about: (names: string) => `${names}: the newest headlines`,
    all: "these are the newest headlines",
    found: "the web search found these pages",
    masked: "Figures inside headlines are not verified; they are left out (…).",
  },
  vi: {
    title: "Tin tức",
    about: (names: string) => `${names}: các tin mới nhất`,
    all: "đây là các tin mới nhất",
    found: "tìm kiếm trên web cho các trang sau",
    masked: "Các con số trong tiêu đề chưa được kiểm chứng nên được lược bỏ (…).",
  },
} as const;

const MAX_ITEMS = 10;

/** Headlines, and what a search found. */
export const news: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const items = calls.flatMap((call) => (call.tool === "webSearch" ? toPages(call) : toHeadlines(call)));
  const shown = uniqueOf(items).slice(0, MAX_ITEMS);
  if (shown.length === 0) return undefined;
  const body = [
    toList(shown.map(({ text }) => text)),
    ...(shown.some(({ isMasked }) => isMasked) ? [words.masked] : []),
  ];
  return { title: words.title, lead: `${toLeadOf(view, calls)}:`, body, facts: [] };
};

function toLeadOf(view: View, calls: readonly SeenCall[]): string {
  const words = TEXT[view.language];
  const symbols = [...new Set(calls.filter(({ tool }) => tool !== "webSearch").flatMap(({ symbols: all }) => all))];
  if (calls.every(({ tool }) => tool === "webSearch")) return words.found;
  if (symbols.length === 0) return words.all;
  return words.about(symbols.length === 1 ? toName(view, symbols[0] ?? "") : toNames(view, symbols));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `2024-11-06 Source: Title <address>`. */
function toHeadlines({ quoted }: SeenCall): readonly Quoted[] {
  return quoted.flatMap((line) => {
    const [day, rest] = [line.slice(0, 10), line.slice(11)];
    const colon = rest.indexOf(": ");
    if (!DAY.test(day) || colon === -1) return [];
    const title = toQuoted(withoutAddress(rest.slice(colon + 2)), day);
    const source = toQuoted(rest.slice(0, colon), day);
    return [{ text: `${day} · ${source.text}: “${title.text}”`, isMasked: title.isMasked || source.isMasked }];
  });
}

/** `Title <address>`; the lines between them are extracts. */
function toPages({ quoted }: SeenCall): readonly Quoted[] {
  return quoted.flatMap((line) => {
    const title = withoutAddress(line);
    if (title === line.trim() || title === "") return [];
    const { text, isMasked } = toQuoted(title);
    return text === "" ? [] : [{ text: `“${text}”`, isMasked }];
  });
}

/** Addresses are in the sources, not in the answer. */
function withoutAddress(line: string): string {
  const text = line.trim();
  const open = text.lastIndexOf(" <");
  return open !== -1 && text.endsWith(">") ? text.slice(0, open).trim() : text;
}

const uniqueOf = (items: readonly Quoted[]): readonly Quoted[] => [
  ...new Map(items.map((item) => [item.text, item])).values(),
];
