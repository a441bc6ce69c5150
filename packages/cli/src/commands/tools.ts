/**
 * `baton tools`: a crew's tools: what each does, takes and changes, who has it, and whether a person is asked.
 */
import { findCrew } from "../crew-path.ts";
import { requireCrew } from "../crew-source.ts";
import type { Command } from "../invocation.ts";
import { toLine } from "../line.ts";
import { Screen } from "../screen.ts";
import { openOutput } from "../terminal.ts";
import { toToolFacts, toToolLines } from "../tool-view.ts";

/** Lists the tools of a crew. */
export const command: Command = async ({ positionals, flags }) => {
  const { crew } = await requireCrew(await findCrew(positionals[0]));
  const facts = [...crew.tools.values()].map((tool) => toToolFacts(crew, tool));
  if (flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ tools: facts }, undefined, 2)}\n`);
    return 0;
  }
  const screen = new Screen(openOutput(process.stdout));
  if (facts.length === 0) screen.draw([toLine(`${crew.name} has no tools; write some in tools.ts beside crew.yaml`)]);
  screen.draw(facts.flatMap((fact) => toToolLines(fact, screen.width)));
  return 0;
};
