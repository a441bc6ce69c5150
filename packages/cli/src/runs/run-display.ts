/**
 * Stage: where runs are shown: the screen, who reports, and who can be asked.
 */
import type { Crew } from "@baton/core";
import { type Asker, TerminalAsker } from "../terminal/user-prompt.ts";
import { toCast } from "../view/agent-view.ts";
import { Conversation } from "./run-follower.ts";
import type { OpenedCrew } from "../crew/crew-loader.ts";
import type { Invocation } from "../command-line.ts";
import { toLine, type Line } from "../terminal/styled-line.ts";
import { toCount } from "../view/number-text.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import { JsonReporter, type Reporter, ScreenReporter } from "../view/reporter.ts";
import { Screen } from "../terminal/screen.ts";
import { isInteractive, openOutput } from "../terminal/output.ts";
import { Transcript } from "../view/transcript.ts";
import { toShellWord } from "../shell-word.ts";

/** Everything a command needs to show runs of a crew. */
export interface Stage {
  readonly screen: Screen;
  readonly reporter: Reporter;
  readonly conversation: Conversation;
  /** Undefined where there is nobody to ask. */
  readonly asker: Asker | undefined;
}

/** What the user types after. */
export const PROMPT = "› ";

/** The stage that was asked for. */
export function stageOf({ flags }: Invocation, opened: OpenedCrew): Stage {
  return flags.has("json") ? openJsonStage() : openStage(opened);
}

/** A stage for people; who is asked is the one at the terminal, if nobody else is named. */
export function openStage(
  { crew }: OpenedCrew,
  asker: Asker | undefined = isInteractive() ? new TerminalAsker() : undefined,
): Stage {
  const screen = new Screen(openOutput(process.stdout));
  const cast = toCast(crew);
  const reporter = new ScreenReporter(screen, () => new Transcript(cast, screen.look));
  return { screen, reporter, asker, conversation: new Conversation({ reporter, asker, width: () => screen.width }) };
}

/** A stage for programs: events, and nobody is asked. */
export function openJsonStage(): Stage {
  const output = openOutput(process.stdout);
  const reporter = new JsonReporter(output.write);
  const conversation = new Conversation({ reporter, asker: undefined, width: () => Infinity });
  return { screen: new Screen(openOutput(process.stderr)), reporter, asker: undefined, conversation };
}

/** A stage for what has happened, where nobody is asked; `still` draws nothing over. */
export function openPastStage(crew: Crew, look: "still" | "live"): Pick<Stage, "reporter" | "screen"> {
  const output = openOutput(process.stdout);
  const screen = new Screen(look === "still" ? { ...output, isLive: false } : output);
  const cast = toCast(crew);
  return { screen, reporter: new ScreenReporter(screen, () => new Transcript(cast, screen.look)) };
}

/** What is said before the first run: the crew, the models and why, and whether a check would find something. */
export function toOpening({ crew, models, path, warnings }: OpenedCrew, width: number): readonly Line[] {
  const description = toOneLine(crew.description);
  const about = description === "" ? [] : wrap(description, width).map((text) => toLine([text, "dim"]));
  const notes = models.reasons.map((reason) => `model ${reason}`);
  if (warnings > 0) notes.push(`${toCount(warnings, "warning")}: see \`baton check ${toShellWord(path)}\``);
  return [
    toLine([toOneLine(crew.name), "strong"]),
    ...about,
    ...notes.flatMap((note) => wrap(toOneLine(note), width)).map((text) => toLine([text, "dim"])),
  ];
}
