/**
 * `baton graph`: a crew as a drawing.
 */
import { writeFile } from "node:fs/promises";
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/util";
import { toMermaid, toSvg } from "@baton/crewfile";
import { findCrew } from "../crew/crew-path.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { type CliCommand, valueOf } from "../command-line.ts";

/** Prints Mermaid, or writes an SVG file. */
export const command: CliCommand = async (commandLine) => {
  const { crew } = await requireCrew(await findCrew(commandLine.positionals[0]));
  const file = valueOf(commandLine, "svg");
  if (file === undefined) {
    process.stdout.write(toMermaid(crew));
    return 0;
  }
  try {
    await writeFile(file, toSvg(crew));
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    throw new BatonError("invalid", `cannot write ${file}: ${message}; name another file with --svg`);
  }
  process.stderr.write(`wrote ${file}\n`);
  return 0;
};
