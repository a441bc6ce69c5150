/**
 * Filing sections: the items of a 10-K, 10-Q or 8-K in the lines of its text.
 *
 * Every heading stands in the table of contents too, and some begin sentences. Those count that stand in the order of
 * the form and have the most text of their own behind them.
 */
import { omitUndefined } from "@baton/core/util";
import { type FormKind, ITEM, PART, type SectionName, toPart } from "./section-name.ts";

/** A section of a filing. */
export interface FilingSection extends SectionName {
  /** The second item of a heading such as `Items 1 and 2`. */
  readonly also?: string;
  readonly heading: string;
  readonly text: string;
}

type Heading = SectionName & Readonly<{ line: number; rank: number; also: string | undefined; chars: number }>;
type Path = Readonly<{ score: number; heading: Heading; before: Path | undefined }>;

const MAX_HEADING = 250;
const MAX_HEADINGS = 5_000;
const LONG_CHARS = 200;
const MAX_FOOTER = 100;
const FOOTERS = 3;
const HEADING = new RegExp(
  `^(?:${PART}[\\s,.:—–-]{0,5})?items?\\s{0,3}(${ITEM})(?!\\d)(?:\\s(?:and|&)\\s(${ITEM})(?!\\d))?`,
  "i",
);
const PART_LINE = new RegExp(`^${PART}(?![a-z])`, "i");

/** Returns the kind of items that a form has. */
export function toFormKind(form: string): FormKind {
  if (form.startsWith("10-Q")) return "quarterly";
  return form.startsWith("8-K") ? "current" : "annual";
}

/** The sections of a filing in their order. */
export function findSections(lines: readonly string[], kind: FormKind): readonly FilingSection[] {
  const found = choose(toHeadings(lines, kind));
  const isFurniture = toFurniture(lines);
  return found.map((heading, at) => {
    const end = found[at + 1]?.line ?? findSignatures(lines, heading.line);
    const body = lines.slice(heading.line + 1, end).filter((line) => !isFurniture(line));
    while (PART_LINE.test((body.at(-1) ?? "").slice(0, 20))) body.pop();
    const { item, also } = heading;
    const part = kind === "quarterly" ? heading.part : undefined;
    return {
      item,
      ...omitUndefined({ part, also }),
      heading: (lines[heading.line] ?? "").slice(0, MAX_HEADING),
      text: body.join("\n"),
    };
  });
}

/** The section of a name; without a part, the first that has the item. */
export function pickSection(
  sections: readonly FilingSection[],
  { item, part }: SectionName,
): FilingSection | undefined {
  const inPart = sections.filter((section) => part === undefined || (section.part ?? part) === part);
  return inPart.find((section) => section.item === item) ?? inPart.find((section) => section.also === item);
}

/** Every line that may be a heading; those that repeat the one before them are its continuation. */
function toHeadings(lines: readonly string[], kind: FormKind): readonly Heading[] {
  const headings: Heading[] = [];
  let part: SectionName["part"];
  let chars = 0;
  lines.forEach((line, at) => {
    const partLine = line.length <= MAX_HEADING ? PART_LINE.exec(line.slice(0, 20)) : null;
    part = toPart(partLine?.[1] ?? undefined) ?? part;
    const read = line.length <= MAX_HEADING && headings.length < MAX_HEADINGS ? readHeading(line) : undefined;
    if (read === undefined) {
      chars += line.length;
      return;
    }
    const rank = toRank({ item: read.item, ...(part === undefined ? {} : { part }) }, kind);
    const last = headings.at(-1);
    if (last !== undefined && last.rank === rank) return;
    if (last !== undefined) headings[headings.length - 1] = { ...last, chars };
    chars = 0;
    headings.push({
      item: read.item,
      also: read.also,
      line: at,
      rank,
      chars: 0,
      ...(part === undefined ? {} : { part }),
    });
  });
  const last = headings.at(-1);
  if (last !== undefined) headings[headings.length - 1] = { ...last, chars };
  return headings;
}

/** The item of a heading; a sentence that continues after the number in lower case is not one. */
function readHeading(line: string): { readonly item: string; readonly also: string | undefined } | undefined {
  const match = HEADING.exec(line.slice(0, 60));
  if (match?.[2] === undefined) return undefined;
  const rest = line.slice(match[0].length).replace(/^[\s.:,—–-]{1,20}/, "");
  const [first = ""] = rest;
  if (first !== first.toUpperCase()) return undefined;
  return { item: match[2].toUpperCase(), also: match[3]?.toUpperCase() };
}

function toRank({ item, part }: SectionName, kind: FormKind): number {
  if (kind === "current") return Math.round(Number.parseFloat(item) * 100);
  const letter = item.charCodeAt(item.length - 1);
  const rank = Number.parseInt(item, 10) * 4 + (letter >= 65 ? letter - 64 : 0);
  return kind === "quarterly" ? rank + (part === undefined || part === "I" ? 0 : 1_000) : rank;
}

/** The headings in rising order with the most text behind them; of equals the later, which is not the contents' one. */
function choose(headings: readonly Heading[]): readonly Heading[] {
  const best = new Map<number, Path>();
  for (const heading of headings) {
    let before: Path | undefined;
    for (const [rank, path] of best) {
      if (rank < heading.rank && path.score > (before?.score ?? 0)) before = path;
    }
    const score = (before?.score ?? 0) + (heading.chars >= LONG_CHARS ? 10 : 1);
    const known = best.get(heading.rank);
    if (known === undefined || score >= known.score) best.set(heading.rank, { score, heading, before });
  }
  let path: Path | undefined;
  for (const each of best.values()) if (each.score > (path?.score ?? 0)) path = each;
  const chosen: Heading[] = [];
  for (; path !== undefined; path = path.before) chosen.unshift(path.heading);
  return chosen.filter((heading, at) => {
    const isFollowed = headings[headings.indexOf(heading) + 1] === chosen[at + 1];
    // A short one before headings that were not chosen is a line of the contents, of an item that the text leaves out.
    return isFollowed || heading.chars >= LONG_CHARS;
  });
}

function findSignatures(lines: readonly string[], from: number): number {
  const at = lines.findIndex((line, index) => index > from && /^signatures?$/i.test(line.slice(0, 20)));
  return at < 0 ? lines.length : at;
}

/** Tells numbers of pages, links back to the contents, and footers such as `Acme | Form 10-K | 7` from text. */
function toFurniture(lines: readonly string[]): (line: string) => boolean {
  const counts = new Map<string, number>();
  const toFooter = (line: string): string | undefined =>
    line.length <= MAX_FOOTER && line.includes("|") ? line.replace(/\d/g, "0") : undefined;
  for (const line of lines) {
    const footer = toFooter(line);
    if (footer !== undefined) counts.set(footer, (counts.get(footer) ?? 0) + 1);
  }
  return (line) =>
    /^(?:\d{1,4}|table of contents)$/i.test(line.slice(0, 30)) || (counts.get(toFooter(line) ?? "") ?? 0) >= FOOTERS;
}
