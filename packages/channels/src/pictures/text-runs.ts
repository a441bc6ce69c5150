/**
 * Text runs: the texts of a picture in runs, each in the part of the font that has its letters.
 *
 * The renderer's own fallback loses letters if one text needs two parts of a font. So every run names its part and has its
 * place, which is measured here.
 */

/** A part of the font: its family name, and the widths of its letters. */
export interface FontPart {
  readonly family: string;
  readonly widths: ReadonlyMap<number, number>;
}

interface TextRun {
  readonly part: FontPart;
  readonly text: string;
  readonly width: number;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
]);
const NUMBER = /^-?\d+(\.\d+)?$/;

/** The picture with all texts in runs; the first part is that of most letters. */
export function placeTexts(svg: string, parts: readonly FontPart[]): string {
  const whole = svg.normalize("NFC");
  let placed = "";
  let at = 0;
  for (let tag = whole.indexOf("<text "); tag !== -1; tag = whole.indexOf("<text ", at)) {
    const open = whole.indexOf(">", tag);
    const end = whole.indexOf("</text>", open);
    if (open === -1 || end === -1) break;
    placed += whole.slice(at, tag);
    placed += placeText({ tag: whole.slice(tag, open), text: whole.slice(open + 1, end) }, parts);
    at = end + "</text>".length;
  }
  return placed + whole.slice(at);
}

function placeText({ tag, text }: Readonly<{ tag: string; text: string }>, parts: readonly FontPart[]): string {
  const size = readAttribute(tag, "font-size");
  const x = readAttribute(tag, "x");
  const runs = toRuns(text, parts);
  const whole = `${tag}>${text}</text>`;
  if (runs.length < 2 && runs[0]?.part === parts[0]) return whole;
  if (!NUMBER.test(size) || !NUMBER.test(x) || text.includes("<")) return whole;
  const width = runs.reduce((sum, run) => sum + run.width, 0) * Number(size);
  const anchor = readAttribute(tag, "text-anchor");
  let left = Number(x) - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
  const spans = runs.map((run) => {
    const span = `<tspan x="${left.toFixed(1)}" font-family="${run.part.family}">${run.text}</tspan>`;
    left += run.width * Number(size);
    return span;
  });
  return `${tag.replace(/ text-anchor="\w+"/, "")} xml:space="preserve">${spans.join("")}</text>`;
}

function readAttribute(tag: string, name: string): string {
  const at = tag.indexOf(` ${name}="`);
  const from = at + name.length + 3;
  return at === -1 ? "" : tag.slice(from, tag.indexOf('"', from));
}

function toRuns(text: string, parts: readonly FontPart[]): readonly TextRun[] {
  const runs: TextRun[] = [];
  for (const char of toChars(text)) {
    const code = (ENTITIES.get(char) ?? char).codePointAt(0) ?? 0;
    const part = parts.find(({ widths }) => widths.has(code)) ?? parts[0];
    if (part === undefined) continue;
    const width = part.widths.get(code) ?? 0;
    const last = runs.at(-1);
    if (last?.part === part) runs.splice(-1, 1, { part, text: last.text + char, width: last.width + width });
    else runs.push({ part, text: char, width });
  }
  return runs;
}

/** Letters, and entities as one each. */
function* toChars(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text[at] === "&" ? text.indexOf(";", at) : -1;
    const entity = end === -1 ? "" : text.slice(at, end + 1);
    const char = ENTITIES.has(entity) ? entity : String.fromCodePoint(text.codePointAt(at) ?? 0);
    yield char;
    at += char.length;
  }
}
