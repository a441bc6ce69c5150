/**
 * Draw bars: candles, volume, lines and panes on a canvas. Loaded when the first such chart is shown.
 */
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  createTextWatermark,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
  type UTCTimestamp,
} from "lightweight-charts";
import type { BarChart, Pane, ChartPoint, Series } from "./chart-data.ts";
import type { ChartColors } from "./chart-colors.ts";
import type { Language } from "../words/words.ts";
import { formatOf } from "../format/format.ts";

/** The options of a drawing. */
export interface DrawOptions {
  readonly colors: ChartColors;
  /** `en`, `vi`. */
  readonly locale: Language;
  readonly font: string;
  /** Written over data that is not real. */
  readonly watermark?: string;
}

/** A drawing that can be changed and removed. */
export interface DrawnBars {
  /** Shows the last so many bars; all without a number. */
  readonly show: (count: number | undefined) => void;
  readonly remove: () => void;
}

const PRICE_STRETCH = 4;
const VOLUME_TOP = 0.82;
const WATERMARK_PX = 40;
const DAY = "1day";

/** Draws a chart into an element. */
export function drawBars(element: HTMLElement, data: BarChart, options: DrawOptions): DrawnBars {
  const { colors } = options;
  const chart = createChart(element, toOptions(data, options));
  const candles = addCandles(chart, data, options);
  addVolume(chart, data, options);
  addMarkers(candles, data, options);
  const price = data.panes.find(({ name }) => name === "price");
  if (price !== undefined) addLines(chart, price, { index: 0, colors });
  const below = data.panes.filter((pane) => pane !== price);
  for (const [index, pane] of below.entries()) addLines(chart, pane, { index: index + 1, colors });
  const panes = chart.panes();
  panes[0]?.setStretchFactor(PRICE_STRETCH);
  for (const pane of panes.slice(1)) pane.setStretchFactor(1);
  const [first] = panes;
  if (options.watermark !== undefined && first !== undefined) {
    createTextWatermark(first, {
      horzAlign: "center",
      vertAlign: "center",
      lines: [
        {
          text: options.watermark,
          color: colors.mark,
          fontSize: WATERMARK_PX,
          fontStyle: "600",
          fontFamily: options.font,
        },
      ],
    });
  }
  chart.timeScale().fitContent();
  return { show: (count) => showLast(chart, data, count), remove: () => chart.remove() };
}

function toOptions({ interval }: BarChart, { colors, locale, font }: DrawOptions) {
  const margins = { top: 0.08, bottom: 0.22 };
  const { price: priceFormatter } = formatOf(locale);
  return {
    autoSize: true,
    localization: { locale, priceFormatter },
    layout: {
      attributionLogo: false,
      background: { color: "transparent" },
      textColor: colors.ink,
      fontSize: 11,
      fontFamily: font,
      panes: { separatorColor: colors.line, enableResize: false },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colors.line } },
    rightPriceScale: { borderVisible: false, scaleMargins: margins },
    timeScale: { borderVisible: false, timeVisible: interval !== DAY, secondsVisible: false },
    handleScroll: { mouseWheel: false, vertTouchDrag: false, horzTouchDrag: true, pressedMouseMove: true },
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: false },
  };
}

function toTime(seconds: number): UTCTimestamp {
  return trusted(seconds);
}

/** The library's own name for a number of seconds. */
function trusted(seconds: number): UTCTimestamp;
function trusted(seconds: number): number {
  return seconds;
}

function addCandles(chart: IChartApi, { bars }: BarChart, { colors }: DrawOptions): ISeriesApi<"Candlestick"> {
  const series = chart.addSeries(CandlestickSeries, {
    upColor: colors.up,
    downColor: colors.down,
    wickUpColor: colors.up,
    wickDownColor: colors.down,
    borderVisible: false,
  });
  series.setData(bars.map(({ t, o, h, l, c }) => ({ time: toTime(t), open: o, high: h, low: l, close: c })));
  return series;
}

function addVolume(chart: IChartApi, { bars }: BarChart, { colors }: DrawOptions): void {
  const volumes = bars.flatMap(({ t, o, c, v }) =>
    v === undefined ? [] : [{ time: toTime(t), value: v, color: c >= o ? colors.upSoft : colors.downSoft }],
  );
  if (volumes.length === 0) return;
  const series = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  series.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
  series.setData(volumes);
}

function addMarkers(candles: ISeriesApi<"Candlestick">, { markers }: BarChart, { colors }: DrawOptions): void {
  if (markers.length === 0) return;
  createSeriesMarkers(
    candles,
    markers.map(({ t, label, side }) => ({
      time: toTime(t),
      text: label,
      position: side === "buy" ? ("belowBar" as const) : ("aboveBar" as const),
      shape: side === "buy" ? ("arrowUp" as const) : ("arrowDown" as const),
      color: side === "buy" ? colors.up : colors.down,
    })),
  );
}

interface Place {
  /** Of the pane. */
  readonly index: number;
  readonly colors: ChartColors;
}

function addLines(chart: IChartApi, pane: Pane, { index, colors }: Place): void {
  let first: ISeriesApi<SeriesType> | undefined;
  const { lines } = colors;
  for (const [at, series] of pane.series.entries()) {
    const color = lines[at % lines.length] ?? colors.ink;
    const drawn =
      series.kind === "histogram"
        ? addHistogram(chart, series, { index, colors })
        : addLine(chart, series, { index, color });
    first ??= drawn;
  }
  for (const { y, label } of pane.levels) {
    first?.createPriceLine({
      price: y,
      title: label,
      color: colors.ink,
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      axisLabelVisible: false,
    });
  }
}

function addLine(
  chart: IChartApi,
  { points, kind }: Series,
  { index, color }: Readonly<{ index: number; color: string }>,
): ISeriesApi<SeriesType> {
  const series = chart.addSeries(
    LineSeries,
    {
      color,
      lineWidth: kind === "band" ? 1 : 2,
      lineStyle: kind === "band" ? LineStyle.Dashed : LineStyle.Solid,
      priceLineVisible: false,
      lastValueVisible: index > 0,
      crosshairMarkerVisible: false,
    },
    index,
  );
  series.setData(points.map(toValue));
  return series;
}

function addHistogram(chart: IChartApi, { points }: Series, { index, colors }: Place): ISeriesApi<SeriesType> {
  const series = chart.addSeries(HistogramSeries, { priceLineVisible: false, lastValueVisible: false }, index);
  series.setData(
    points.map((point) => ({ ...toValue(point), color: (point[1] ?? 0) >= 0 ? colors.upSoft : colors.downSoft })),
  );
  return series;
}

function toValue([t, y]: ChartPoint): { readonly time: UTCTimestamp; readonly value?: number } {
  return y === undefined ? { time: toTime(t) } : { time: toTime(t), value: y };
}

function showLast(chart: IChartApi, { bars }: BarChart, count: number | undefined): void {
  const [from, to] = [bars.at(-(count ?? bars.length)), bars.at(-1)];
  if (count === undefined || count >= bars.length || from === undefined || to === undefined) {
    chart.timeScale().fitContent();
    return;
  }
  chart.timeScale().setVisibleRange({ from: toTime(from.t), to: toTime(to.t) });
}
