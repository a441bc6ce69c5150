/**
 * Panes: the series of results by the pane that their tools name, each with the levels people read it by.
 */
import type { ChartPane } from "./chart.ts";
import type { OutputLevel, OutputSeries } from "./output-rows.ts";

/** The pane that lies over the bars. */
const PRICE = "price";

/** Series and levels that results give to draw. */
export type Drawings = Readonly<{ series: readonly OutputSeries[]; levels: readonly OutputLevel[] }>;

/** The panes, the one over the bars first; of a series that two results have the longer one is drawn. */
export function toPanes({ series, levels }: Drawings): ChartPane[] {
  const longest = new Map<string, OutputSeries>();
  for (const one of series) {
    const length = longest.get(one.name)?.points.length ?? 0;
    if (one.points.length > length) longest.set(one.name, one);
  }
  const panes = new Map<string, ChartPane>();
  for (const { name, pane, kind, points } of longest.values()) {
    const found = panes.get(pane) ?? { name: pane, series: [], ...toLevels(pane, levels) };
    found.series.push({ name, kind, points: [...points] });
    panes.set(pane, found);
  }
  return [...panes.values()].toSorted((a, b) => Number(b.name === PRICE) - Number(a.name === PRICE));
}

/** Lowest first; one that two results name is there once. */
function toLevels(pane: string, all: readonly OutputLevel[]): Pick<ChartPane, "levels"> {
  const own = new Map(all.filter((level) => level.pane === pane).map(({ y, label }) => [y, { y, label }]));
  return own.size === 0 ? {} : { levels: [...own.values()].toSorted((a, b) => a.y - b.y) };
}
