/**
 * Figures: the numbers of an answer, each with the fact that backs it, as marks in the text that survive Markdown.
 */
import type { NoteMark, Story } from "../../store/story.ts";
import { fieldOf, textField } from "./provenance.ts";

/** A number of an answer: what backs it, or why nothing does. */
export type AnswerFigure = Readonly<{ start: number; end: number }> &
  (Readonly<{ kind: "backed"; call: string; fact: BackingFact }> | Readonly<{ kind: "unbacked"; why: string }>);

const OPEN = "\uE000";
const MIDDLE = "\uE001";
const CLOSE = "\uE002";
const RESERVED = [OPEN, MIDDLE, CLOSE];

/** The figures of a step's text, in their order. */
export function figuresOf(story: Story, step: string): readonly AnswerFigure[] {
  const note = story.notes.findLast(({ kind, of }) => kind === "figures" && of === step);
  if (note === undefined) return [];
  const facts = factsOf(note);
  const backed = listOf(note, "spans").flatMap((span): AnswerFigure[] => {
    const place = placeOf(span, fieldOf(span, "end"));
    const fact = facts.get(textField(span, "fact") ?? "");
    return place === undefined || fact === undefined ? [] : [{ ...place, kind: "backed", call: fact.call, fact }];
  });
  const unbacked = listOf(note, "unverified").flatMap((one): AnswerFigure[] => {
    const at = fieldOf(one, "at");
    const text = textField(one, "text") ?? "";
    if (typeof at !== "number" || text === "") return [];
    return [{ start: at, end: at + text.length, kind: "unbacked", why: textField(one, "why") ?? "" }];
  });
  return [...backed, ...unbacked].toSorted((one, other) => one.start - other.start);
}

function listOf(note: NoteMark, name: string): readonly unknown[] {
  const list = fieldOf(note.data, name);
  return Array.isArray(list) ? list : [];
}

function placeOf(span: unknown, end: unknown): { readonly start: number; readonly end: number } | undefined {
  const start = fieldOf(span, "start");
  return typeof start === "number" && typeof end === "number" && end > start ? { start, end } : undefined;
}

/** A fact that a number stands for. */
export interface BackingFact {
  readonly call: string;
  /** Symbol, metric and source. */
  readonly label: string;
  /** Where the value stands in the result of the call. */
  readonly path: string;
  readonly value: string;
  readonly asOf: string;
  readonly kind: string;
}

/** The facts that the answer cites, by id. */
function factsOf(note: NoteMark): ReadonlyMap<string, BackingFact> {
  return new Map(
    listOf(note, "facts").map((fact) => [
      textField(fact, "id") ?? "",
      {
        call: textField(fact, "call") ?? "",
        label: labelOf(fact),
        path: textField(fact, "path") ?? "",
        value: JSON.stringify(fieldOf(fact, "value")) ?? "",
        asOf: textField(fact, "as_of") ?? "",
        kind: textField(fact, "kind") ?? "",
      },
    ]),
  );
}

function labelOf(fact: unknown): string {
  const words = [textField(fact, "symbol"), textField(fact, "metric"), textField(fact, "source")];
  return words.filter((word) => word !== undefined).join(" · ");
}

/** The text with marks around its figures; figures that overlap another are left out. */
export function markFigures(text: string, figures: readonly AnswerFigure[]): string {
  const clean = cleanOf(text);
  let marked = "";
  let from = 0;
  for (const [index, { start, end }] of figures.entries()) {
    if (start < from || end > clean.length) continue;
    marked += `${clean.slice(from, start)}${OPEN}${index}${MIDDLE}${clean.slice(start, end)}${CLOSE}`;
    from = end;
  }
  return marked + clean.slice(from);
}

/** Without the characters that marks are made of; as long as before. */
function cleanOf(text: string): string {
  return RESERVED.reduce((clean, character) => clean.replaceAll(character, "\uFFFD"), text);
}

/** A piece of a text: words, or a figure by its place in the list. */
export type FigurePiece = string | Readonly<{ figure: number; text: string }>;

/** Takes a marked text apart. */
export function splitFigures(text: string): readonly FigurePiece[] {
  const pieces: FigurePiece[] = [];
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf(OPEN, from);
    const middle = open === -1 ? -1 : text.indexOf(MIDDLE, open);
    const close = middle === -1 ? -1 : text.indexOf(CLOSE, middle);
    if (close === -1) break;
    if (open > from) pieces.push(text.slice(from, open));
    pieces.push({ figure: Number(text.slice(open + 1, middle)), text: text.slice(middle + 1, close) });
    from = close + 1;
  }
  const rest = text.slice(from);
  return rest === "" ? pieces : [...pieces, rest];
}
