/**
 * `baton check`: finds the errors of crews before they run.
 */
import { BatonError } from "@baton/core";
import { toServerLines } from "@baton/crewfile";
import { findCrews, withoutOtherFiles } from "../crew/crew-path.ts";
import { countOf, type LoadedCrew, loadCrews } from "../crew/crew-loader.ts";
import { USAGE_ERROR } from "../exit-code.ts";
import { toFindingLines } from "../view/finding-view.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { BLANK, cutLine, styleLine, type Line } from "../terminal/styled-line.ts";
import { countNoun } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import { openOutput } from "../terminal/output.ts";

/**
 * Checks all named crews; the exit code is 0 if none has an error, nor too many warnings. Notes are shown with `--notes` and in JSON. A crew
 * without findings is shown only with `--verbose`.
 */
export const command: CliCommand = async (commandLine) => {
  const { positionals, flags } = commandLine;
  const mostWarnings = toMostWarnings(commandLine);
  const named = positionals.length === 0 ? [undefined] : await withoutOtherFiles(positionals);
  const paths = (await Promise.all(named.map(findCrews))).flat();
  const checked: LoadedCrew[] = [];
  for (const path of new Set(paths)) checked.push(...(await loadCrews(path)));
  if (flags.has("json")) process.stdout.write(`${JSON.stringify({ crews: checked.map(toJson) }, undefined, 2)}\n`);
  else show((flags.has("notes") ? checked : checked.map(withoutNotes)).filter((one) => isShown(one, flags)));
  if (checked.some(({ file }) => file.crew === undefined)) return USAGE_ERROR;
  const warnings = checked.reduce((sum, { file }) => sum + countOf(file.findings, "warning"), 0);
  if (warnings <= mostWarnings) return 0;
  process.stderr.write(`baton: ${countNoun(warnings, "warning")}; ${toAllowed(mostWarnings)}\n`);
  return USAGE_ERROR;
};

/** The number of warnings that are no failure. */
function toMostWarnings(commandLine: CommandLine): number {
  const text = valueOf(commandLine, "max-warnings");
  if (text === undefined) return commandLine.flags.has("strict") ? 0 : Infinity;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BatonError(
    "invalid",
    `--max-warnings is a whole number, not "${toOneLine(text)}"; for example --max-warnings 3`,
  );
}

function toAllowed(most: number): string {
  return most === 0 ? "none is allowed" : `--max-warnings allows ${most}`;
}

function isShown({ file }: LoadedCrew, flags: CommandLine["flags"]): boolean {
  return file.findings.length > 0 || flags.has("verbose");
}

function toJson({ path, file: { crew, findings, worst } }: LoadedCrew): object {
  return { path, ok: crew !== undefined, findings, ...(worst === undefined ? {} : { worst }) };
}

function withoutNotes({ path, file }: LoadedCrew): LoadedCrew {
  return { path, file: { ...file, findings: file.findings.filter(({ severity }) => severity !== "note") } };
}

function show(checked: readonly LoadedCrew[]): void {
  const screen = new Screen(openOutput(process.stdout));
  const { isTerminal, width } = screen;
  for (const one of checked) {
    const { findings, texts } = one.file;
    const lines = findings.flatMap((finding) => toFindingLines(finding, { texts, isTerminal, width }));
    screen.draw([...lines, ...toVerdict(one, width), ...(isTerminal ? [BLANK] : [])]);
  }
}

/** `✓ crews/hello  1 agent, no findings`, and the worst case below it. */
function toVerdict({ path, file: { crew, findings, worst } }: LoadedCrew, width: number): readonly Line[] {
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
  const servers = toServerLines(crew?.tools.values() ?? []).map((line) => styleLine([`  ${line}`, "dim"]));
  if (worst === undefined) return [head, ...servers];
  const most = [
    countNoun(worst.modelCalls, "model call"),
    countNoun(worst.toolRounds, "tool round"),
    countNoun(worst.handoffs, "handoff"),
    ...(worst.codeCalls === undefined ? [] : [countNoun(worst.codeCalls, "code call")]),
  ].join(", ");
  const text = `worst case for one input: ${worst.isExact ? "" : "at most "}${most}`;
  return [head, ...servers, ...wrap(text, width - 2).map((line) => styleLine([`  ${line}`, "dim"]))];
}
