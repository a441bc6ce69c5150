/**
 * `baton check`: finds the errors of crews before they run.
 */
import type { CrewFile } from "@baton/crewfile";
import { findCrews, withoutOtherFiles } from "../crew/crew-path.ts";
import { countOf, loadCrew } from "../crew/crew-loader.ts";
import { USAGE_ERROR } from "../exit-code.ts";
import { toFindingLines } from "../view/finding-view.ts";
import type { CliCommand, CommandLine } from "../command-line.ts";
import { BLANK, cutLine, styleLine, type Line } from "../terminal/styled-line.ts";
import { countNoun } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import { openOutput } from "../terminal/output.ts";

interface Checked {
  readonly path: string;
  readonly file: CrewFile;
}

/**
 * Checks all named crews; the exit code is 0 if none has an error. Notes are shown with `--notes` and in JSON. A crew
 * without findings is shown only with `--verbose`.
 */
export const command: CliCommand = async ({ positionals, flags }) => {
  const named = positionals.length === 0 ? [undefined] : await withoutOtherFiles(positionals);
  const paths = (await Promise.all(named.map(findCrews))).flat();
  const checked: Checked[] = [];
  for (const path of new Set(paths)) checked.push({ path, file: await loadCrew(path) });
  if (flags.has("json")) process.stdout.write(`${JSON.stringify({ crews: checked.map(toJson) }, undefined, 2)}\n`);
  else show((flags.has("notes") ? checked : checked.map(withoutNotes)).filter((one) => isShown(one, flags)));
  return checked.every(({ file }) => file.crew !== undefined) ? 0 : USAGE_ERROR;
};

function isShown({ file }: Checked, flags: CommandLine["flags"]): boolean {
  return file.findings.length > 0 || flags.has("verbose");
}

function toJson({ path, file: { crew, findings, worst } }: Checked): object {
  return { path, ok: crew !== undefined, findings, ...(worst === undefined ? {} : { worst }) };
}

function withoutNotes({ path, file }: Checked): Checked {
  return { path, file: { ...file, findings: file.findings.filter(({ severity }) => severity !== "note") } };
}

function show(checked: readonly Checked[]): void {
  const screen = new Screen(openOutput(process.stdout));
  const { isTerminal, width } = screen;
  for (const one of checked) {
    const { findings, texts } = one.file;
    const lines = findings.flatMap((finding) => toFindingLines(finding, { texts, isTerminal, width }));
    screen.draw([...lines, ...toVerdict(one, width), ...(isTerminal ? [BLANK] : [])]);
  }
}

/** `✓ crews/hello  1 agent, no findings`, and the worst case below it. */
function toVerdict({ path, file: { crew, findings, worst } }: Checked, width: number): readonly Line[] {
  const errors = countOf(findings, "error");
  const counts = [
    ...(["error", "warning", "note"] as const).flatMap((severity) => {
      const count = countOf(findings, severity);
      return count === 0 ? [] : [countNoun(count, severity)];
    }),
    ...(crew === undefined ? [] : [countNoun(crew.agents.size, "agent"), countNoun(crew.tools.size, "tool")]),
  ];
  const sign = errors > 0 ? styleLine(["✗ ", "bad"]) : styleLine(["✓ ", "good"]);
  const head = cutLine([...sign, ...styleLine([toOneLine(path), "strong"], `  ${counts.join(", ")}`)], width);
  if (worst === undefined) return [head];
  const most = [
    countNoun(worst.modelCalls, "model call"),
    countNoun(worst.toolRounds, "tool round"),
    countNoun(worst.handoffs, "handoff"),
  ].join(", ");
  const text = `worst case for one input: ${worst.isExact ? "" : "at most "}${most}`;
  return [head, ...wrap(text, width - 2).map((line) => styleLine([`  ${line}`, "dim"]))];
}
