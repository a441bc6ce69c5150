/**
 * The market: indices, breadth, sectors, and the calendar of economic events.
 */
import type { Fact } from "@baton/assistant";
import { toPlainText, toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { toQuoted } from "../words/quoted.ts";
import { sectorName } from "../words/sector-names.ts";
import { cite, dayOf, factsOf, findFact, toCell, toGrid, toName, type Topic, withoutRepeats } from "../section.ts";
import type { SeenCall } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TEXT = {
  en: {
    market: "Market overview",
    breadth: (day: string) => `US stocks on ${day}`,
    noIndices: "The data has no index levels of this day.",
    sectors: "Sectors",
    sector: "Sector",
    best: (day: string) => `sectors on ${day}, best`,
    worst: "weakest",
    calendar: "Economic calendar",
    events: (start: string, end: string) => `events from ${start} to ${end}`,
    country: "Country",
    event: "Event",
    parts: { actual: "Actual", estimate: "Estimate", previous: "Previous" },
  },
  vi: {
    market: "Tổng quan thị trường",
    breadth: (day: string) => `thị trường cổ phiếu Mỹ ngày ${day}`,
    noIndices: "Dữ liệu không có điểm số các chỉ số của ngày này.",
    sectors: "Các ngành",
    sector: "Ngành",
    best: (day: string) => `các ngành ngày ${day}, mạnh nhất`,
    worst: "yếu nhất",
    calendar: "Lịch kinh tế",
    events: (start: string, end: string) => `các sự kiện từ ${start} đến ${end}`,
    country: "Quốc gia",
    event: "Sự kiện",
    parts: { actual: "Thực tế", estimate: "Dự báo", previous: "Kỳ trước" },
  },
} as const;

/** Indices and how many stocks rose and fell. */
export const overview: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const facts = withoutRepeats(factsOf(calls));
  const [first] = facts;
  if (first === undefined) return undefined;
  const breadth = facts.filter(({ metric }) => metric.startsWith("stocks "));
  const indices = facts.filter((fact) => !breadth.includes(fact));
  const said = breadth.map((fact) => `${metricName(fact.metric, view.language)} ${cite(fact)}`);
  const index = findFact(indices, { metric: "price" });
  const lead =
    breadth.length > 0 || index === undefined
      ? `${words.breadth(dayOf(first))}: ${said.join(", ")}.`
      : `${toName(view, index.symbol)}: ${metricName("price", view.language)} ${cite(index)}.`;
  const body = [
    ...(breadth.length < 3 ? [] : [toGrid(view, breadth)]),
    indices.length === 0 ? words.noIndices : toGrid(view, indices),
  ];
  return { title: words.market, lead, body, facts };
};

/** How the sectors did. */
export const sectors: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const facts = withoutRepeats(factsOf(calls));
  const ranked = facts.filter(({ metric }) => metric === "sector change").toSorted((a, b) => b.value - a.value);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (best === undefined || worst === undefined) return undefined;
  const name = ({ symbol }: Fact) => sectorName(toPlainText(symbol), view.language);
  const lead = `${words.best(dayOf(best))} ${name(best)} ${cite(best)}, ${words.worst} ${name(worst)} ${cite(worst)}.`;
  const metrics = ["sector change", "sector market cap"].filter((one) => facts.some(({ metric }) => metric === one));
  const rows = ranked.map((fact) => [
    name(fact),
    ...metrics.map((metric) => toCell(facts, { metric, symbol: fact.symbol })),
  ]);
  const head = metrics.map((metric) => toTitle(metricName(metric, view.language)));
  return { title: words.sectors, lead, body: [toTable([words.sector, ...head], rows)], facts };
};

const MAX_EVENTS = 20;
const PARTS = ["actual", "estimate", "previous"] as const;

/** What is published when. */
export const calendar: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const events = calls.flatMap(toEvents).slice(0, MAX_EVENTS);
  const facts = factsOf(calls);
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const head = [wordsOf(view.language).day, words.country, words.event, ...PARTS.map((part) => words.parts[part])];
  const rows = events.map(({ day, country, event }) => {
    const own = facts.filter((fact) => dayOf(fact) === day && fact.symbol === country);
    const cell = (part: string) => own.find(({ metric }) => metric.startsWith(`${event}, ${part}`));
    return [day, toQuoted(country).text, toQuoted(event, day).text, ...PARTS.map((part) => toReference(cell(part)))];
  });
  const shown = facts.filter((fact) => events.some(({ event }) => fact.metric.startsWith(`${event}, `)));
  return {
    title: words.calendar,
    lead: `${words.events(first.day, last.day)}:`,
    body: [toTable(head, rows)],
    facts: shown,
  };
};

const toReference = (fact: Fact | undefined): string => (fact === undefined ? "–" : cite(fact));

type Event = Readonly<{ day: string; country: string; event: string }>;

/** Events with figures from the facts, those without from the quoted lines; by day. */
function toEvents({ facts, quoted }: SeenCall): readonly Event[] {
  const counted = facts.map((fact): Event => ({
    day: dayOf(fact),
    country: fact.symbol,
    event: withoutPart(fact.metric),
  }));
  const told = quoted.flatMap(readEvent);
  const unique = new Map([...counted, ...told].map((event) => [JSON.stringify(event), event]));
  return [...unique.values()].toSorted((one, other) => one.day.localeCompare(other.day));
}

/** `CPI, actual (index)` is about `CPI`. */
function withoutPart(metric: string): string {
  const at = Math.max(...PARTS.map((part) => metric.lastIndexOf(`, ${part}`)));
  return at === -1 ? metric : metric.slice(0, at);
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** `2024-11-06T13:30:00Z US CPI YoY (impact High)`. */
function readEvent(line: string): readonly Event[] {
  const [at = "", country = "", ...rest] = line.split(" ");
  const text = rest.join(" ");
  const end = text.lastIndexOf(" (impact ");
  if (!DAY.test(at) || end === -1) return [];
  return [{ day: at.slice(0, 10), country, event: text.slice(0, end) }];
}
