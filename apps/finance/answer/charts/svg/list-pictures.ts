/**
 * List pictures: headlines, lists of stocks and the market at a glance.
 */
import type { ChartPoint, IndexCard, MarketOverview, NewsList, Trending } from "../chart.ts";
import { BODY, type PictureBox, changeColor, COLORS, path, rect, text, toSvg, widthOf } from "./svg.ts";
import { toScale } from "./scale.ts";
import type { PictureLanguage } from "./words.ts";

const MAX_NEWS = 4;
const MAX_ROWS = 7;
const MAX_INDICES = 6;
const TITLE = 36;

/** Draws headlines. */
export function drawNews({ items, provenance }: NewsList, language: PictureLanguage): string {
  const shown = items.slice(0, MAX_NEWS);
  const each = BODY.height / MAX_NEWS;
  const body = shown.map(({ title, source, published_at: at }, index) => {
    const y = BODY.y + index * each;
    const [first = "", second = ""] = toLines(title, BODY.width, TITLE);
    return [
      text(BODY.x, y + 34, { text: first, size: TITLE, maxWidth: BODY.width }),
      second === "" ? "" : text(BODY.x, y + 74, { text: second, size: TITLE, maxWidth: BODY.width }),
      text(BODY.x, y + (second === "" ? 70 : 104), {
        text: `${source} · ${language.date(at)}`,
        size: 28,
        color: COLORS.muted,
        maxWidth: BODY.width,
      }),
    ].join("");
  });
  const [newest] = shown;
  const subtitle = newest === undefined ? "" : language.date(newest.published_at);
  const symbols = [...new Set(items.flatMap(({ symbols: own }) => own))].slice(0, 4).join(", ");
  const title = symbols === "" ? language.words.news : `${language.words.news}: ${symbols}`;
  return toSvg({ title, subtitle, footer: language.origin(provenance) }, body.join(""));
}

/** At most two lines, cut between words. */
function toLines(value: string, width: number, size: number): readonly string[] {
  if (widthOf(value, size) <= width) return [value];
  const most = Math.floor(width / widthOf("x", size));
  const cut = value.lastIndexOf(" ", most);
  return cut <= 0 ? [value] : [value.slice(0, cut), value.slice(cut + 1)];
}

/** Draws a list of stocks. */
export function drawTrending({ title, rows, provenance }: Trending, language: PictureLanguage): string {
  const shown = rows.slice(0, MAX_ROWS);
  const each = BODY.height / MAX_ROWS;
  const body = shown.map(({ symbol, name, price, change_percent: change }, index) => {
    const y = BODY.y + index * each;
    const band =
      index % 2 === 0 ? rect({ x: BODY.x - 16, y, width: BODY.width + 32, height: each }, COLORS.fill, 8) : "";
    const line = y + each / 2 + 13;
    return [
      band,
      text(BODY.x, line, { text: symbol, size: 38, maxWidth: 200 }),
      text(BODY.x + 210, line, { text: name, size: 32, color: COLORS.muted, maxWidth: 450 }),
      text(BODY.x + 870, line, { text: language.number(price), size: 36, anchor: "end" }),
      text(BODY.x + BODY.width, line, {
        text: language.change(change),
        size: 38,
        color: changeColor(change),
        anchor: "end",
      }),
    ].join("");
  });
  const subtitle = rows.length > shown.length ? `${shown.length} / ${rows.length}` : "";
  return toSvg({ title, subtitle, footer: language.origin(provenance) }, body.join(""));
}

/** Draws the main indices, and how many listings rose and fell. */
export function drawMarket(
  { indices, breadth, provenance }: MarketOverview,
  language: PictureLanguage,
): string | undefined {
  const shown = indices.slice(0, MAX_INDICES);
  if (shown.length === 0 && breadth === undefined) return undefined;
  const columns = shown.length <= 4 ? 2 : 3;
  const rows = Math.ceil(shown.length / columns);
  const room = BODY.height - (breadth === undefined ? 0 : 90);
  const width = (BODY.width - (columns - 1) * 24) / columns;
  const height = Math.min(200, (room - (rows - 1) * 24) / Math.max(1, rows));
  const cards = shown.map((card, index) => {
    const x = BODY.x + (index % columns) * (width + 24);
    return drawIndex(card, { x, y: BODY.y + Math.floor(index / columns) * (height + 24), width, height }, language);
  });
  const bar = breadth === undefined ? "" : drawBreadth(breadth, language);
  const frame = { title: language.words.market, subtitle: "", footer: language.origin(provenance) };
  return toSvg(frame, `${cards.join("")}${bar}`);
}

function drawIndex(
  { name, price, change_percent: change, spark }: IndexCard,
  box: PictureBox,
  language: PictureLanguage,
) {
  const { x, y, width, height } = box;
  const half = width * 0.55;
  return [
    rect(box, COLORS.fill, 14),
    text(x + 18, y + 44, { text: name, size: 32, color: COLORS.muted, maxWidth: width - 36 }),
    text(x + 18, y + 96, { text: language.number(price), size: 42, maxWidth: half }),
    text(x + 18, y + 142, { text: language.change(change), size: 36, color: changeColor(change) }),
    drawSpark(
      spark,
      { x: x + half + 10, y: y + 66, width: width - half - 34, height: height - 92 },
      changeColor(change),
    ),
  ].join("");
}

/** A small line without an axis. */
export function drawSpark(points: readonly ChartPoint[], box: PictureBox, color: string): string {
  const known = points.flatMap(([t, value]) => (value === null ? [] : [[t, value] as const]));
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < 2) return "";
  const { to } = toScale(
    known.map(([, value]) => value),
    [box.y + box.height, box.y],
  );
  const toX = (t: number) => box.x + ((t - first[0]) / Math.max(1, last[0] - first[0])) * box.width;
  return path(
    known.map(([t, value]) => [toX(t), to(value)] as const),
    color,
  );
}

type Breadth = NonNullable<MarketOverview["breadth"]>;

function drawBreadth({ up, down, flat }: Breadth, { words }: PictureLanguage): string {
  const all = Math.max(1, up + down + flat);
  const y = BODY.y + BODY.height - 30;
  const parts = [
    [up, COLORS.up],
    [flat, "#c3cad1"],
    [down, COLORS.down],
  ] as const;
  let x = BODY.x;
  const bars = parts.map(([count, color]) => {
    const width = (count / all) * BODY.width;
    const drawn = rect({ x, y, width, height: 26 }, color);
    x += width;
    return drawn;
  });
  const label = (value: number, word: string) => `${value} ${word}`;
  return [
    ...bars,
    text(BODY.x, y - 14, { text: label(up, words.rising), size: 32, color: COLORS.up }),
    text(BODY.x + BODY.width / 2, y - 14, {
      text: label(flat, words.flat),
      size: 32,
      color: COLORS.muted,
      anchor: "middle",
    }),
    text(BODY.x + BODY.width, y - 14, {
      text: label(down, words.falling),
      size: 32,
      color: COLORS.down,
      anchor: "end",
    }),
  ].join("");
}
