/**
 * Startup message: what a server prints on a terminal when it listens: what to open, its models and why, its crews.
 */
import { countOf } from "../crew/crew-loader.ts";
import { BLANK, cutLine, type Line, styleLine } from "../terminal/styled-line.ts";
import { countNoun } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";
import type { FoundCrew } from "./served-crews.ts";

/** The facts of the message. */
export interface StartupInfo {
  readonly url: string;
  readonly crews: readonly FoundCrew[];
  /** The chosen models and the reasons. */
  readonly reasons: readonly string[];
  readonly hasConsole: boolean;
  /** Where runs are stored. */
  readonly place: string;
}

const LABEL_CHARS = 8;
const NO_KEY = "no provider's key is set";
const HOW = "to use a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, e.g. in .env, and restart";

/** The lines below the address. */
export function toStartupLines(
  { url, crews, reasons, hasConsole, place }: StartupInfo,
  width: number,
): readonly Line[] {
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
    ...toRow("runs", [`stored in ${toOneLine(place)}`]),
    ...toRow("stop", ["Ctrl-C"]),
    BLANK,
  ].map((line) => cutLine(line, width));
}

function toRow(label: string, texts: readonly string[]): readonly Line[] {
  return texts.map((text, index) =>
    styleLine([(index === 0 ? label : "").padEnd(LABEL_CHARS), index === 0 ? "strong" : "plain"], text),
  );
}

/** `hello: 1 agent`, with the number of warnings. */
function toCrewText({ id, path, served: { crew, findings } }: FoundCrew): readonly string[] {
  const warnings = countOf(findings, "warning");
  const found = warnings === 0 ? "" : `, ${countNoun(warnings, "warning")}: see \`baton check ${toShellWord(path)}\``;
  return [`${id}: ${countNoun(crew.agents.size, "agent")}${found}`];
}
