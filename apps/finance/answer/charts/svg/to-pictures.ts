/**
 * To pictures: the charts of an answer as SVG of 1,200 × 675, for chat channels.
 */
import type { Json } from "@baton/core";
import { type Chart, ChartSchema } from "../chart.ts";
import { drawBars } from "./bar-picture.ts";
import { drawMarket, drawNews, drawTrending } from "./list-pictures.ts";
import { drawFinancials, drawHeatmap, drawPriceCard } from "./value-pictures.ts";
import { PictureLanguage } from "./words.ts";

const MAX_PICTURES = 3;

/** A chart as a picture, with where its data comes from. */
export interface ChartPicture {
  readonly svg: string;
  readonly caption: string;
}

/** Draws the charts, the main ones first. */
export function toPictures(charts: readonly Json[], language: string): readonly ChartPicture[] {
  const speech = new PictureLanguage(language);
  const read = charts.flatMap((chart) => ChartSchema.safeParse(chart).data ?? []);
  const ordered = read.toSorted((one, other) => Number(other.primary) - Number(one.primary));
  return ordered
    .flatMap((chart) => {
      const svg = draw(chart, speech);
      return svg === undefined ? [] : [{ svg, caption: toCaption(chart, speech) }];
    })
    .slice(0, MAX_PICTURES);
}

function draw(chart: Chart, language: PictureLanguage): string | undefined {
  switch (chart.type) {
    case "showStockChart":
    case "cryptoChart":
      return drawBars(chart.data, language);
    case "showStockPrice":
      return drawPriceCard(chart.data, language);
    case "showStockFinancials":
      return drawFinancials(chart.data, language);
    case "showStockNews":
      return drawNews(chart.data, language);
    case "showMarketOverview":
      return drawMarket(chart.data, language);
    case "showTrendingStocks":
      return drawTrending(chart.data, language);
    case "showStockHeatmap":
      return drawHeatmap(chart.data, language);
  }
}

function toCaption({ symbols, data }: Chart, language: PictureLanguage): string {
  const about = symbols.slice(0, 5).join(", ");
  return `${about === "" ? "" : `${about} · `}${language.origin(data.provenance)}`;
}
