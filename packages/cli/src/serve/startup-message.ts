/**
 * Welcome: what a server says on a terminal once it listens: what to open, which models answer and why, what it serves.
 */
import { countOf } from "../crew/crew-loader.ts";
import { BLANK, cutLine, type Line, toLine } from "../terminal/styled-line.ts";
import { toCount } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";
import type { FoundCrew } from "./served-crews.ts";

/** What there is to say. */
export interface Welcome {
  readonly url: string;
  readonly crews: readonly FoundCrew[];
  /** Which models were chosen and why. */
  readonly reasons: readonly string[];
  readonly hasConsole: boolean;
  /** Where runs are kept, for people. */
  readonly place: string;
}

const LABEL_CHARS = 8;
const NO_KEY = "no provider's key is set";
const HOW = "for real answers set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, e.g. in .env, and start again";

/** The lines below the address. */
export function toWelcome({ url, crews, reasons, hasConsole, place }: Welcome, width: number): readonly Line[] {
  const inner = width - LABEL_CHARS;
  const models = reasons.map((reason) => toOneLine(reason).replace(/^model /, ""));
  const hint = models.some((reason) => reason.includes(NO_KEY)) ? [HOW] : [];
  return [
    BLANK,
    ...(hasConsole ? toRow("open", [`${url}/ in your browser`]) : []),
    ...toRow(
      "model",
      [...models, ...hint].flatMap((text) => wrap(text, inner)),
    ),
    ...toRow(
      "crews",
      crews.flatMap((crew) => toCrewText(crew).flatMap((text) => wrap(text, inner))),
    ),
    ...toRow("runs", [`kept in ${toOneLine(place)}`]),
    ...toRow("stop", ["Ctrl-C"]),
    BLANK,
  ].map((line) => cutLine(line, width));
}

function toRow(label: string, texts: readonly string[]): readonly Line[] {
  return texts.map((text, index) =>
    toLine([(index === 0 ? label : "").padEnd(LABEL_CHARS), index === 0 ? "strong" : "plain"], text),
  );
}

/** `hello: 1 agent`, and whether a check would find something. */
function toCrewText({ id, path, file: { crew, findings } }: FoundCrew): readonly string[] {
  const warnings = countOf(findings, "warning");
  const found = warnings === 0 ? "" : `, ${toCount(warnings, "warning")}: see \`baton check ${toShellWord(path)}\``;
  return [`${id}: ${toCount(crew.agents.size, "agent")}${found}`];
}
