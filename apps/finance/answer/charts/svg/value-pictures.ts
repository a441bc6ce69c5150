/**
 * Value pictures: the card of a price, lines of statements by period, and a map of sizes and changes.
 */
import type { Financials, Heatmap, PriceCard } from "../chart.ts";
import { drawSpark } from "./list-pictures.ts";
import { toScale } from "./scale.ts";
import { BODY, type PictureBox, changeColor, COLORS, legend, line, rect, text, toSvg, widthOf } from "./svg.ts";
import type { PictureLanguage } from "./words.ts";

const MAX_LINES = 3;
const MAX_PERIODS = 6;
const MAX_TILES = 24;

/** Draws the card of a price. */
export function drawPriceCard(card: PriceCard, language: PictureLanguage): string {
  const { symbol, name, currency, price, change_percent: change, day, year, volume, market_cap: cap, spark } = card;
  const { words } = language;
  const facts = [
    ...(volume === null ? [] : [[words.volume, language.short(volume)] as const]),
    ...(cap === null ? [] : [[words.cap, language.short(cap)] as const]),
  ];
  const body = [
    text(BODY.x, BODY.y + 96, { text: language.number(price), size: 110 }),
    text(BODY.x, BODY.y + 166, { text: language.change(change), size: 56, color: changeColor(change) }),
    drawSpark(spark, { x: BODY.x + 600, y: BODY.y, width: BODY.width - 600, height: 190 }, changeColor(change)),
    drawRange(words.day, day, { price, y: BODY.y + 240, language }),
    drawRange(words.year, year, { price, y: BODY.y + 330, language }),
    ...facts.map(([label, value], index) =>
      text(BODY.x + index * 560, BODY.y + 440, { text: `${label}: ${value}`, size: 38, maxWidth: 540 }),
    ),
  ];
  const frame = { title: `${symbol} · ${name}`, subtitle: currency, footer: language.origin(card.provenance) };
  return toSvg(frame, body.join(""));
}

interface RangePlace {
  readonly price: number;
  readonly y: number;
  readonly language: PictureLanguage;
}

function drawRange(label: string, [low, high]: PriceCard["day"], { price, y, language }: RangePlace): string {
  if (low === null || high === null || high <= low) return "";
  const bar = { x: BODY.x + 460, y: y + 4, width: 420, height: 14 };
  const at = bar.x + Math.min(1, Math.max(0, (price - low) / (high - low))) * bar.width;
  const middle = y + 23;
  return [
    text(BODY.x, middle, { text: label, size: 38, color: COLORS.muted }),
    text(bar.x - 20, middle, { text: language.number(low), size: 36, anchor: "end" }),
    rect(bar, COLORS.grid, 7),
    `<circle cx="${at}" cy="${bar.y + 7}" r="15" fill="${COLORS.series[0]}"/>`,
    text(bar.x + bar.width + 20, middle, { text: language.number(high), size: 36 }),
  ].join("");
}

/** Draws lines of statements, period by period. */
export function drawFinancials(chart: Financials, language: PictureLanguage): string {
  const { symbol, currency, provenance } = chart;
  const unit = chart.lines[0]?.unit ?? "";
  const lines = chart.lines.filter((one) => one.unit === unit).slice(0, MAX_LINES);
  const periods = chart.periods.slice(-MAX_PERIODS);
  const from = chart.periods.length - periods.length;
  const box: PictureBox = { x: BODY.x, y: BODY.y + 50, width: BODY.width - 160, height: BODY.height - 100 };
  const values = lines.flatMap((one) => one.values.slice(from).flatMap((value) => value ?? []));
  const { to, ticks } = toScale([0, ...values], [box.y + box.height, box.y]);
  const axis = ticks.map((tick) => {
    const label = { text: language.short(Number(tick.toPrecision(8))), size: 32, color: COLORS.muted };
    return `${line([box.x, to(tick)], [box.x + box.width, to(tick)], { color: COLORS.grid })}${text(box.x + box.width + 14, to(tick) + 11, label)}`;
  });
  const each = box.width / periods.length;
  const width = (each * 0.76) / lines.length;
  const groups = periods.map((period, index) => {
    const x = box.x + index * each + each * 0.12;
    const bars = lines.map((one, place) => {
      const value = one.values[from + index] ?? 0;
      const [top, bottom] = [to(Math.max(0, value)), to(Math.min(0, value))];
      return rect({ x: x + place * width, y: top, width: width - 4, height: bottom - top }, seriesColor(place), 4);
    });
    const label = { text: period, size: 30, color: COLORS.muted, anchor: "middle", maxWidth: each } as const;
    return `${bars.join("")}${text(x + each * 0.38, box.y + box.height + 42, label)}`;
  });
  const names = lines.map((one, index) => [one.name, seriesColor(index)] as const);
  const frame = {
    title: symbol,
    subtitle: unit === "" || unit === currency ? currency : `${unit} · ${currency}`,
    footer: language.origin(provenance),
  };
  return toSvg(frame, [legend(BODY.x, BODY.y + 24, names), ...axis, ...groups].join(""));
}

/** Draws sizes as areas and changes as colours. */
export function drawHeatmap({ groups, provenance }: Heatmap, language: PictureLanguage): string {
  const items = groups.flatMap(({ name, weight, change_percent, items: own }) =>
    own === undefined || own.length === 0
      ? [{ label: name, weight, change: change_percent }]
      : own.map((one) => ({ label: one.symbol, weight: one.weight, change: one.change_percent })),
  );
  const largest = items.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  const body = toTiles(largest.slice(0, MAX_TILES), BODY).map((tile) => drawTile(tile, language));
  const names = groups.map(({ name }) => name).join(", ");
  const frame = { title: language.words.map, subtitle: names, footer: language.origin(provenance) };
  return toSvg(frame, body.join(""));
}

interface Tile {
  readonly label: string;
  readonly weight: number;
  readonly change: number | null;
}

/** Halves the list by weight and the box by its longer side, until each tile has its own box. */
function toTiles(tiles: readonly Tile[], box: PictureBox): readonly (Tile & PictureBox)[] {
  const [only] = tiles;
  if (only === undefined) return [];
  if (tiles.length === 1) return [{ ...only, ...box }];
  const all = tiles.reduce((sum, { weight }) => sum + weight, 0);
  let half = only.weight;
  let count = 1;
  for (; count < tiles.length - 1 && half + (tiles[count]?.weight ?? 0) <= all / 2; count++)
    half += tiles[count]?.weight ?? 0;
  const part = half / all;
  const [first, second]: readonly [PictureBox, PictureBox] =
    box.width >= box.height
      ? [
          { ...box, width: box.width * part },
          { ...box, x: box.x + box.width * part, width: box.width * (1 - part) },
        ]
      : [
          { ...box, height: box.height * part },
          { ...box, y: box.y + box.height * part, height: box.height * (1 - part) },
        ];
  return [...toTiles(tiles.slice(0, count), first), ...toTiles(tiles.slice(count), second)];
}

const FULL_CHANGE = 3;

function drawTile({ label, change, x, y, width, height }: Tile & PictureBox, language: PictureLanguage): string {
  const strength = change === null ? 0.25 : 0.35 + 0.65 * Math.min(1, Math.abs(change) / FULL_CHANGE);
  const box = { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
  const size = Math.max(28, Math.min(48, height / 3, width / 4.2));
  const filled = rect(box, changeColor(change), 6).replace("/>", ` fill-opacity="${strength.toFixed(2)}"/>`);
  if (widthOf("MMM", size) > width || height < size * 1.3) return filled;
  const hasRoom = size > 30 && height > size * 2.6 && widthOf(language.change(change), size * 0.8) < width;
  const color = strength > 0.55 ? COLORS.paper : COLORS.ink;
  const middle = { x: x + width / 2, y: y + height / 2 };
  const name = { text: label, size, color, anchor: "middle", maxWidth: width - 12 } as const;
  const moved = { text: language.change(change), size: size * 0.8, color, anchor: "middle" } as const;
  return [
    filled,
    text(middle.x, middle.y + (hasRoom ? 0 : size * 0.35), name),
    hasRoom ? text(middle.x, middle.y + size * 1.05, moved) : "",
  ].join("");
}

function seriesColor(index: number): string {
  return COLORS.series[index % COLORS.series.length] ?? COLORS.ink;
}
