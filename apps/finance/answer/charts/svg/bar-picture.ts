/**
 * Bar picture: the course of a price with the lines over it, and below it one more pane or the volume.
 */
import type { BarChart, ChartBar, ChartPane, ChartPoint } from "../chart.ts";
import { toScale } from "./scale.ts";
import { BODY, type PictureBox, COLORS, legend, line, path, rect, text, toSvg, widthOf } from "./svg.ts";
import type { PictureLanguage } from "./words.ts";

const AXIS = 150;
const LOWER = 116;
/** Room for the labels of two axes. */
const GAP = 40;
const MAX_LINES = 3;
const MAX_CANDLES = 60;
const LABEL = 32;

/** Draws bars. */
export function drawBars(chart: BarChart, language: PictureLanguage): string {
  const { bars, panes, symbol, name, currency, interval } = chart;
  const first = bars.find(({ c }) => c !== null);
  const last = bars.findLast(({ c }) => c !== null);
  const over = panes.find(({ name: pane }) => pane === "price")?.series.slice(0, MAX_LINES) ?? [];
  const below = panes.find(({ name: pane }) => pane !== "price");
  const hasVolume = bars.some(({ v }) => v !== null && v > 0);
  const hasLower = below !== undefined || hasVolume;
  const top = over.length > 0 ? 44 : 0;
  const upper: PictureBox = {
    x: BODY.x,
    y: BODY.y + top,
    width: BODY.width - AXIS,
    height: BODY.height - top - 44 - (hasLower ? LOWER + GAP : 0),
  };
  const lower: PictureBox = { ...upper, y: upper.y + upper.height + GAP, height: LOWER };
  const times = { first: bars[0]?.t ?? 0, last: bars.at(-1)?.t ?? 1 };
  const toX = (t: number) => upper.x + ((t - times.first) / Math.max(1, times.last - times.first)) * upper.width;
  const drawn = [
    legend(
      BODY.x,
      BODY.y + 26,
      over.map((one, index) => [one.name, seriesColor(index)]),
    ),
    drawPrice(chart, { box: upper, toX, language, lines: over.map(({ points }) => points) }),
    below !== undefined
      ? drawPane(below, { box: lower, toX, language })
      : hasVolume
        ? drawVolume(bars, lower, toX)
        : "",
    drawTimes(chart, { y: BODY.y + BODY.height + 2, toX, language }),
  ];
  const [opened, closed] = [first?.c ?? undefined, last?.c ?? undefined];
  const change = opened === undefined || closed === undefined ? null : (closed / opened - 1) * 100;
  const subtitle = `${closed === undefined ? "" : `${language.number(closed)} ${currency} · `}${language.change(change)} · ${interval}`;
  const frame = { title: `${symbol} · ${name}`, subtitle, footer: language.origin(chart.provenance) };
  return toSvg(frame, drawn.join(""));
}

interface Area {
  readonly box: PictureBox;
  readonly toX: (t: number) => number;
  readonly language: PictureLanguage;
}

function drawPrice({ bars, markers = [] }: BarChart, area: Area & { readonly lines: readonly ChartPoint[][] }): string {
  const { box, toX, lines } = area;
  const isCandles = bars.length <= MAX_CANDLES && bars.every(({ o, h, l }) => o !== null && h !== null && l !== null);
  const values = [
    ...bars.flatMap(({ c, h, l }) => (isCandles ? [h, l] : [c])),
    ...lines.flatMap((points) => points.map(([, value]) => value)),
  ].filter((value) => value !== null);
  const { axis, to } = drawAxis(values, area, 4);
  const width = Math.max(3, (box.width / bars.length) * 0.6);
  const course = isCandles
    ? bars.map((bar) => drawCandle(bar, { x: toX(bar.t), width, to })).join("")
    : path(
        bars.map(({ t, c }) => (c === null ? undefined : ([toX(t), to(c)] as const))),
        COLORS.ink,
        5,
      );
  const marks = markers.map(({ t, side }) => {
    const close = bars.find((bar) => bar.t >= t)?.c ?? undefined;
    const color = side === "buy" ? COLORS.up : COLORS.down;
    return close === undefined
      ? ""
      : `<circle cx="${toX(t)}" cy="${to(close)}" r="9" fill="${color}" stroke="#fff" stroke-width="3"/>`;
  });
  const drawn = lines.map((points, index) => drawLine(points, { toX, to, color: seriesColor(index) }));
  return [axis, course, ...drawn, ...marks].join("");
}

function drawAxis(values: readonly number[], { box, language }: Area, count: number) {
  const scale = toScale(values, [box.y + box.height, box.y], count);
  const right = box.x + box.width;
  const axis = scale.ticks.map((tick) => {
    const y = scale.to(tick);
    const label = { text: language.short(Number(tick.toPrecision(8))), size: LABEL, color: COLORS.muted };
    return `${line([box.x, y], [right, y], { color: COLORS.grid })}${text(right + 14, y + 11, label)}`;
  });
  return { axis: axis.join(""), to: scale.to };
}

function drawCandle(
  { o, h, l, c }: ChartBar,
  { x, width, to }: { x: number; width: number; to: (v: number) => number },
) {
  if (o === null || h === null || l === null || c === null) return "";
  const color = c >= o ? COLORS.up : COLORS.down;
  const top = to(Math.max(o, c));
  const body = { x: x - width / 2, y: top, width, height: Math.max(3, to(Math.min(o, c)) - top) };
  return `${line([x, to(h)], [x, to(l)], { color, width: 3 })}${rect(body, color, 2)}`;
}

interface Drawing {
  readonly toX: (t: number) => number;
  readonly to: (value: number) => number;
  readonly color: string;
}

function drawLine(points: readonly ChartPoint[], { toX, to, color }: Drawing): string {
  const places = points.map(([t, value]) => (value === null ? undefined : ([toX(t), to(value)] as const)));
  return path(places, color, 4);
}

function drawVolume(bars: readonly ChartBar[], box: PictureBox, toX: (t: number) => number): string {
  const most = bars.reduce((high, { v }) => Math.max(high, v ?? 0), 1);
  const width = Math.max(1, (box.width / bars.length) * 0.7);
  return bars
    .map(({ t, v, o, c }) => {
      const height = ((v ?? 0) / most) * box.height;
      const color = (c ?? 0) >= (o ?? 0) ? "#9ccdb3" : "#e6a9ac";
      return rect({ x: toX(t) - width / 2, y: box.y + box.height - height, width, height }, color);
    })
    .join("");
}

function drawPane({ name, series, levels = [] }: ChartPane, area: Area): string {
  const { box, toX } = area;
  const shown = series.slice(0, MAX_LINES);
  const values = shown.flatMap(({ points }) => points.flatMap(([, value]) => value ?? []));
  const { axis, to } = drawAxis([...values, ...levels.map(({ y }) => y)], area, 2);
  const marks = levels.map(({ y }) =>
    line([box.x, to(y)], [box.x + box.width, to(y)], { color: COLORS.flat, width: 2 }),
  );
  const drawn = shown.map(({ kind, points }, index) => {
    const color = seriesColor(index);
    if (kind !== "histogram") return drawLine(points, { toX, to, color });
    const width = Math.max(1, (box.width / Math.max(1, points.length)) * 0.7);
    return points
      .map(([t, value]) => {
        const [top, bottom] = [to(Math.max(0, value ?? 0)), to(Math.min(0, value ?? 0))];
        return rect(
          { x: toX(t) - width / 2, y: top, width, height: bottom - top },
          (value ?? 0) >= 0 ? "#9ccdb3" : "#e6a9ac",
        );
      })
      .join("");
  });
  const label = rect({ x: box.x, y: box.y - 30, width: widthOf(name, 30) + 12, height: 32 }, COLORS.paper);
  return [axis, ...marks, ...drawn, label, text(box.x, box.y - 4, { text: name, size: 30, color: COLORS.muted })].join(
    "",
  );
}

interface Times {
  readonly y: number;
  readonly toX: (t: number) => number;
  readonly language: PictureLanguage;
}

function drawTimes({ bars }: BarChart, { y, toX, language }: Times): string {
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return "";
  const isShort = last.t - first.t < 4 * 86_400;
  const middle = bars[Math.floor(bars.length / 2)] ?? first;
  const places = [
    [first.t, "start"],
    [middle.t, "middle"],
    [last.t, "end"],
  ] as const;
  return places
    .map(([t, anchor]) =>
      text(toX(t), y, { text: language.date(t, isShort ? "minute" : "day"), size: LABEL, color: COLORS.muted, anchor }),
    )
    .join("");
}

function seriesColor(index: number): string {
  return COLORS.series[index % COLORS.series.length] ?? COLORS.ink;
}
