/**
 * Run display: the parts with which a command shows runs: the screen, the reporter, the follower and the prompt.
 */
import type { Crew } from "@baton/core";
import { type UserPrompt, TerminalPrompt } from "../terminal/user-prompt.ts";
import { toAgentViews } from "../view/agent-view.ts";
import { RunFollower } from "./run-follower.ts";
import type { OpenedCrew } from "../crew/crew-loader.ts";
import type { CommandLine } from "../command-line.ts";
import { styleLine, type Line } from "../terminal/styled-line.ts";
import { countNoun } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { JsonReporter, type Reporter, ScreenReporter } from "../view/reporter.ts";
import { Screen } from "../terminal/screen.ts";
import { isInteractive, openOutput } from "../terminal/output.ts";
import { Transcript } from "../view/transcript.ts";
import { toShellWord } from "../shell-word.ts";

/** Everything a command needs to show runs of a crew. */
export interface RunDisplay {
  readonly screen: Screen;
  readonly reporter: Reporter;
  readonly follower: RunFollower;
  /** Undefined if there is no terminal. */
  readonly prompt: UserPrompt | undefined;
}

/** The display that the options ask for: JSON with `--json`, else text. */
export function displayOf({ flags }: CommandLine, opened: OpenedCrew): RunDisplay {
  return flags.has("json") ? openJsonDisplay() : openDisplay(opened);
}

/** A display for people. Questions go to the terminal unless another prompt is given. */
export function openDisplay(
  { crew }: OpenedCrew,
  prompt: UserPrompt | undefined = isInteractive() ? new TerminalPrompt() : undefined,
): RunDisplay {
  const screen = new Screen(openOutput(process.stdout));
  const agentViews = toAgentViews(crew);
  const reporter = new ScreenReporter(screen, () => new Transcript(agentViews, screen.textFormat));
  return { screen, reporter, prompt, follower: new RunFollower({ reporter, prompt, width: () => screen.width }) };
}

/** A display for programs: one event a line, no questions. */
export function openJsonDisplay(): RunDisplay {
  const output = openOutput(process.stdout);
  const reporter = new JsonReporter(output.write);
  const follower = new RunFollower({ reporter, prompt: undefined, width: () => Infinity });
  return { screen: new Screen(openOutput(process.stderr)), reporter, prompt: undefined, follower };
}

/** A display for a stored run, without questions; `static` redraws nothing. */
export function openStoredDisplay(crew: Crew, drawing: "static" | "live"): Pick<RunDisplay, "reporter" | "screen"> {
  const output = openOutput(process.stdout);
  const screen = new Screen(drawing === "static" ? { ...output, isLive: false } : output);
  const agentViews = toAgentViews(crew);
  return { screen, reporter: new ScreenReporter(screen, () => new Transcript(agentViews, screen.textFormat)) };
}

/** The lines before the first run: the crew, its models and why they were chosen, and how many warnings it has. */
export function toHeaderLines({ crew, models, path, warnings }: OpenedCrew, width: number): readonly Line[] {
  const description = toOneLine(crew.description);
  const about = description === "" ? [] : wrap(description, width).map((text) => styleLine([text, "dim"]));
  const notes = models.reasonsOf(crew).map((reason) => `model ${reason}`);
  if (warnings > 0) notes.push(`${countNoun(warnings, "warning")}: see \`baton check ${toShellWord(path)}\``);
  return [
    styleLine([toOneLine(crew.name), "strong"]),
    ...about,
    ...notes.flatMap((note) => wrap(toOneLine(note), width)).map((text) => styleLine([text, "dim"])),
  ];
}
