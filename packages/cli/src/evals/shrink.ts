/**
 * `baton shrink`: makes a failed run small and writes it as a case.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError } from "@baton/core";
import type { CaseChecks, Shrunk } from "@baton/evals";
import { type CliCommand, valueOf } from "../command-line.ts";
import { findCrew } from "../crew/crew-path.ts";
import { requireCrewOf } from "../crew/crew-search.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { shortIdOf } from "../runs/run-id.ts";
import { requireRun } from "../runs/run-search.ts";
import { folderOfCrew, loadChecks } from "./case-files.ts";

/** Shrinks a run. */
export const command: CliCommand = async (commandLine) => {
  const [word, crewWord] = commandLine.positionals;
  if (word === undefined) throw new BatonError("invalid", "name a run: baton shrink RUN [CREW]");
  const { readChecks, shrinkRun } = await import("@baton/evals");
  const file = valueOf(commandLine, "checks");
  const checks = file === undefined ? undefined : await readChecks(file);
  await using database = await requireDatabase(folderOf(commandLine));
  const { readAll } = await import("@baton/store");
  const run = await requireRun(database, word);
  const path = crewWord === undefined ? await requireCrewOf(run, undefined) : await findCrew(crewWord);
  const { crew } = await requireCrew(path);
  const events = await readAll(database, run.id);
  const code = await loadChecks(folderOfCrew(path));
  const shrunk = await shrinkRun({ crew, events, checks, code });
  const id = `${run.crew}-${shortIdOf(run.id)}`;
  const out = valueOf(commandLine, "out") ?? `shrunk-${shortIdOf(run.id)}`;
  await writeFiles(out, id, { shrunk, checks: checks ?? { outcome: ["done"] } });
  const { messages, replies, doubles } = shrunk.small;
  process.stdout.write(
    `${join(out, "case.yaml")}: ${messages.length} messages, ${replies.length} replies, ${doubles.length} doubles; fails with ${shrunk.failure}; ${shrunk.attempts} attempts\n`,
  );
  return 0;
};

type Written = Readonly<{ shrunk: Shrunk; checks: CaseChecks }>;

async function writeFiles(folder: string, id: string, { shrunk: { small }, checks }: Written): Promise<void> {
  const [{ groupBy, redactSecrets }, { stringify }] = await Promise.all([import("@baton/evals"), import("yaml")]);
  const { messages, replies, doubles, answers, options, user } = small;
  const said = messages.length === 1 ? { input: messages[0] } : { messages };
  const written = {
    id,
    ...said,
    ...(options !== undefined && { options }),
    ...(user !== undefined && { user }),
    script: "script.yaml",
    ...(doubles.length > 0 && { tools: groupBy(doubles, ({ tool, double }) => [tool, double]) }),
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
    checks,
  };
  const toYaml = (value: unknown) => redactSecrets(stringify(value, { aliasDuplicateObjects: false }), process.env);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "case.yaml"), toYaml([written]));
  await writeFile(join(folder, "script.yaml"), toYaml(groupBy(replies, ({ agent, reply }) => [agent, reply])));
}
