/**
 * Bar chart view: the canvas of candles and panes, drawn by a library that comes with the first of them.
 */
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { useMedia } from "../ui/use-media.ts";
import { readColors } from "./chart-colors.ts";
import type { BarChart } from "./chart-data.ts";
import { formatOf } from "../format/format.ts";
import type { DrawnBars } from "./draw-bars.ts";

interface BarChartViewProps {
  readonly data: BarChart;
  readonly isSimulated: boolean;
  /** Shows the last so many bars; all without it. */
  readonly count?: number;
}

/** The drawing. */
export function BarChartView({ data, isSimulated, count }: BarChartViewProps) {
  const { words, settings } = useApp();
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<DrawnBars>();
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const { theme, language } = settings;
  useEffect(() => {
    let made: DrawnBars | undefined;
    let isWanted = true;
    const element = place.current;
    if (element === null) return undefined;
    const font = getComputedStyle(element).fontFamily;
    const watermark = isSimulated ? { watermark: words.charts.watermark } : {};
    import("./draw-bars.ts").then(
      ({ drawBars }) => {
        if (!isWanted) return;
        made = drawBars(element, data, { colors: readColors(element), locale: language, font, ...watermark });
        setDrawn(made);
      },
      () => setDrawn(undefined),
    );
    return () => {
      isWanted = false;
      made?.remove();
      setDrawn(undefined);
    };
  }, [data, isSimulated, theme, language, isDark]);
  useEffect(() => drawn?.show(count), [drawn, count]);
  const format = formatOf(language);
  const [first, last] = [data.bars[0], data.bars.at(-1)];
  const text = words.charts.describe(
    data.symbol,
    format.marketTime((first?.t ?? 0) * 1_000),
    format.marketTime((last?.t ?? 0) * 1_000),
  );
  const panes = data.panes.filter(({ name }) => name !== "price").length;
  return (
    <div className={`chart-canvas panes-${Math.min(3, panes)}`} role="img" aria-label={text}>
      <div ref={place} className="chart-drawn" aria-hidden />
    </div>
  );
}
