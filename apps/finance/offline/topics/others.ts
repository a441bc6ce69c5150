/**
 * Other answers: a backtest beside its benchmark, the time, a symbol, a calculation, and figures of any other tool.
 */
import type { Fact } from "@baton/assistant";
import { z } from "zod";
import { unescape } from "../digest.ts";
import { toPlainText, toTable } from "../words/markdown.ts";
import { metricName, resultName, toTitle } from "../words/metric-names.ts";
import { cite, factsOf, findFact, symbolsOf, toGrid, toLead, toName, type Topic, withoutRepeats } from "../section.ts";
import type { SeenCall, View } from "../view.ts";

const TEXT = {
  en: {
    backtest: "Backtest",
    strategy: "Strategy",
    hold: "Buy and hold",
    from: (start: string, end: string) => `from ${start} to ${end}`,
    past: "A backtest tells about the past; it promises nothing.",
    time: "Time",
    now: (time: string, day: string, zone: string) => `it is ${time} on ${day} (${zone})`,
    market: (state: string) => `US stock markets: ${state}`,
    states: { pre: "before the opening", open: "open", post: "after the close", closed: "closed", holiday: "holiday" },
    dataDay: (day: string) => `the data's day is ${day}`,
    symbol: "Symbol",
    calculated: "Calculation",
    figures: "Figures",
  },
  vi: {
    backtest: "Kiểm thử chiến lược",
    strategy: "Chiến lược",
    hold: "Mua và giữ",
    from: (start: string, end: string) => `từ ${start} đến ${end}`,
    past: "Kết quả kiểm thử chỉ nói về quá khứ, không hứa hẹn điều gì.",
    time: "Thời gian",
    now: (time: string, day: string, zone: string) => `bây giờ là ${time} ngày ${day} (${zone})`,
    market: (state: string) => `thị trường cổ phiếu Mỹ: ${state}`,
    states: {
      pre: "trước giờ mở cửa",
      open: "đang mở cửa",
      post: "sau giờ đóng cửa",
      closed: "đóng cửa",
      holiday: "nghỉ lễ",
    },
    dataDay: (day: string) => `ngày của dữ liệu là ${day}`,
    symbol: "Mã chứng khoán",
    calculated: "Phép tính",
    figures: "Số liệu",
  },
} as const;

const HOLD = "buy and hold";
const RETURN = " total return";

/** A strategy beside buying and holding. */
export const backtest: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const tested = calls.flatMap((call) => toTested(view, call));
  if (tested.length === 0) return undefined;
  const body = [...tested.flatMap(({ table }) => table), words.past];
  return {
    title: words.backtest,
    lead: toLead(tested.map(({ sentence }) => sentence)),
    body,
    facts: tested.flatMap(({ facts }) => facts),
  };
};

type Tested = Readonly<{ sentence: string; table: readonly string[]; facts: readonly Fact[] }>;

function toTested(view: View, { facts }: SeenCall): readonly Tested[] {
  const words = TEXT[view.language];
  const own = facts.find(({ metric }) => metric.endsWith(RETURN));
  if (own === undefined) return [];
  const strategy = own.metric.slice(0, -RETURN.length);
  const held = findFact(facts, { metric: `${HOLD}${RETURN}` });
  const said = [own, ...(held === undefined || held === own ? [] : [held])].map(
    (fact) => `${metricName(fact.metric, view.language)} ${cite(fact)}`,
  );
  const { period } = own;
  const when = period?.start === undefined ? "" : ` ${words.from(period.start, period.end)}`;
  const shown = facts.filter(({ metric }) => metric.startsWith(`${strategy} `) || metric.startsWith(`${HOLD} `));
  const results = [...new Set(shown.map(({ metric }) => withoutStrategy(metric, strategy)))];
  const cell = (name: string, of: string) => findFact(shown, { metric: `${of} ${name}` });
  const rows = results.map((name) => [
    toTitle(resultName(name, view.language) ?? name),
    toReference(cell(name, strategy)),
    toReference(cell(name, HOLD)),
  ]);
  const table = toTable([own.symbol, strategy, words.hold], rows);
  return [{ sentence: `${toName(view, own.symbol)}: ${said.join(", ")}${when}`, table: [table], facts: shown }];
}

const toReference = (fact: Fact | undefined): string => (fact === undefined ? "–" : cite(fact));

const withoutStrategy = (metric: string, strategy: string): string =>
  metric.startsWith(`${HOLD} `) ? metric.slice(HOLD.length + 1) : metric.slice(strategy.length + 1);

const TIME = z.object({
  data: z.object({
    timezone: z.string(),
    time: z.string(),
    us_market: z.object({ state: z.enum(["pre", "open", "post", "closed", "holiday"]) }),
    data_day: z.string(),
  }),
});

/** What `getCurrentTime` said, from its digest. */
export function readTime({ digest }: Pick<SeenCall, "digest">): z.output<typeof TIME>["data"] | undefined {
  const text = unescape(digest);
  try {
    return TIME.safeParse(JSON.parse(text.slice(text.indexOf("\n") + 1))).data?.data;
  } catch {
    return undefined;
  }
}

/** What time it is. */
export const time: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const said = calls.flatMap((call) => {
    const now = readTime(call);
    if (now === undefined) return [];
    const clock = words.now(now.time.slice(11, 16), now.time.slice(0, 10), toPlainText(now.timezone));
    return [`${clock}; ${words.market(words.states[now.us_market.state])}; ${words.dataDay(now.data_day)}`];
  });
  return said.length === 0 ? undefined : { title: words.time, lead: toLead(said.slice(0, 1)), body: [], facts: [] };
};

/** What a symbol or a name means. */
export const symbol: Topic = (view, calls) => {
  const said = calls
    .flatMap(({ symbols }) => symbols)
    .map((one) => [toName(view, one), view.names.get(one)?.exchange].filter((part) => part !== undefined).join(", "));
  return said.length === 0 ? undefined : { title: TEXT[view.language].symbol, lead: toLead(said), body: [], facts: [] };
};

/** What was calculated. */
export const calculation: Topic = (view, calls) => {
  const facts = factsOf(calls);
  const said = facts.map((fact) => {
    const whose = fact.symbol === "" ? "" : `${toName(view, fact.symbol)}: `;
    return `${whose}\`${fact.metric.replaceAll("`", "")}\` ${cite(fact)}`;
  });
  return said.length === 0 ? undefined : { title: TEXT[view.language].calculated, lead: toLead(said), body: [], facts };
};

/** Figures of a tool that has no topic of its own. */
export const figures: Topic = (view, calls) => {
  const facts = withoutRepeats(factsOf(calls));
  const symbols = symbolsOf(view, facts);
  const said = symbols.flatMap((one) => {
    const fact = findFact(facts, { symbol: one, metric: facts.find((each) => each.symbol === one)?.metric ?? "" });
    return fact === undefined ? [] : [`${toName(view, one)}: ${metricName(fact.metric, view.language)} ${cite(fact)}`];
  });
  if (said.length === 0) return undefined;
  return { title: TEXT[view.language].figures, lead: toLead(said), body: [toGrid(view, facts)], facts };
};
