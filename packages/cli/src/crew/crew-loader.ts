/**
 * Crew loader: reads a crew, with its script and its models.
 *
 * If a crew has errors, they are printed on standard error and the command ends.
 */
import { extname } from "node:path";
import { assumedLevels, type CodeLoader, readCrewFile, readCrewFiles, type SandboxChoice } from "@baton/baton/crews";
import { CrewMcp } from "@baton/baton/mcp";
import { ModelChoice } from "@baton/baton/models";
import { BatonError, type Crew, type Script } from "@baton/core";
import { readScript, type CrewFile, type FileFinding, type ScriptFile } from "@baton/crewfile";
import { ToolThreads, type ToolThreadsOptions } from "@baton/durable/threads";
import { readEnvOf } from "@baton/crewfile/env-file";
import { toFindingLines } from "../view/finding-view.ts";
import { type CommandLine, valueOf } from "../command-line.ts";
import { countNoun } from "../view/number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import { openOutput } from "../terminal/output.ts";
import { folderOf } from "../runs/data-folder.ts";

/** A crew that is ready to run; disposing it ends the threads of its tools. */
export interface OpenedCrew extends AsyncDisposable {
  readonly path: string;
  readonly crew: Crew;
  /** The crew as its files are now; `crew` differs from it if a resumed run started with other files. */
  readonly current: Crew;
  readonly models: ModelChoice;
  readonly warnings: number;
  /** The most model calls of one input, with any replies. */
  readonly maxModelCalls: number;
}

/** The advice if no model can be used. */
export const MODEL_HINT = "to run without a provider, use --model offline or --script FILE";

/** Counts the findings of one severity. */
export function countOf(findings: readonly Pick<FileFinding, "severity">[], severity: FileFinding["severity"]): number {
  return findings.filter((one) => one.severity === severity).length;
}

/** Threads for tools; each starts with the first call that needs it. */
export function openThreads(options: Omit<ToolThreadsOptions, "setup"> = {}): ToolThreads {
  return new ToolThreads({
    ...options,
    setup: [new URL(`./module-fallback-worker${extname(import.meta.url)}`, import.meta.url).href],
  });
}

/** The MCP servers of a command's crews; `--cassette` answers instead of them. */
export function openMcp(commandLine: CommandLine): CrewMcp {
  const warn = (text: string) => process.stderr.write(`baton: ${toOneLine(text)}\n`);
  const [data, cassette] = [folderOf(commandLine), valueOf(commandLine, "cassette")];
  return new CrewMcp({ data, env: process.env, cassette, warn });
}

/** Reads a crew, with its findings; without threads, to look at and not to run, so that no sandbox is looked for. */
export async function loadCrew(path: string, threads?: ToolThreads, sandbox: SandboxChoice = {}): Promise<CrewFile> {
  // The crew's code may read variables when it is loaded.
  await readEnvOf(path, process.env);
  if (threads === undefined) return readCrewFile(path, openThreads(), { levels: assumedLevels() });
  return readCrewFile(path, threads, sandbox);
}

/** A crew and its path; of a file with several crews, `FILE.ts#NAME`. */
export interface LoadedCrew {
  readonly path: string;
  readonly file: CrewFile;
}

/** Reads all crews of a path, with their findings. */
export async function loadCrews(
  path: string,
  threads = openThreads(),
  code?: CodeLoader & SandboxChoice,
): Promise<readonly LoadedCrew[]> {
  await readEnvOf(path, process.env);
  // The path may name one crew of a file.
  if (path.includes("#")) return [{ path, file: await readCrewFile(path, threads, code) }];
  const files = await readCrewFiles(path, threads, code);
  const isOne = files.length === 1;
  return files.map((file) => ({ path: isOne || file.crew === undefined ? path : `${path}#${file.crew.name}`, file }));
}

/** The crew of a file that was read; throws if it has errors. */
export function requireRunnable({ path, file }: LoadedCrew): CrewFile & { readonly crew: Crew } {
  const { crew } = file;
  if (crew !== undefined) return { ...file, crew };
  throw refuse(path, file);
}

/** Reads a crew; throws if it has errors. */
export async function requireCrew(
  path: string,
  threads?: ToolThreads,
  sandbox?: SandboxChoice,
): Promise<CrewFile & { readonly crew: Crew }> {
  return requireRunnable({ path, file: await loadCrew(path, threads, sandbox) });
}

/** Opens a crew to run it, with `--script` or `--model`; `choose` may replace the crew that was read. */
export async function openCrew(
  path: string,
  commandLine: CommandLine,
  choose?: (current: Crew) => Promise<Crew>,
): Promise<OpenedCrew> {
  const file = valueOf(commandLine, "script");
  const model = valueOf(commandLine, "model");
  if (file !== undefined && model !== undefined) {
    throw new BatonError("invalid", "--script and --model cannot be used together; remove one of them");
  }
  const threads = openThreads();
  const mcp = openMcp(commandLine);
  const read = await requireCrew(path, threads, { dataFolder: folderOf(commandLine), mcp: mcp.makeTools });
  const { crew: current, findings } = read;
  const crew = choose === undefined ? current : await choose(current);
  const script = file === undefined ? read.script : await openScript(file, crew, read);
  const override = file === undefined ? model : "script";
  const models = await ModelChoice.open([{ ...read, crew, script }], { override, env: process.env, hint: MODEL_HINT });
  const dispose = async () => {
    await mcp[Symbol.asyncDispose]();
    await threads[Symbol.asyncDispose]();
  };
  const [warnings, maxModelCalls] = [countOf(findings, "warning"), read.worst?.modelCalls ?? 0];
  return { path, crew, current, models, warnings, maxModelCalls, [Symbol.asyncDispose]: dispose };
}

/** Reads a script for a crew; throws if it has errors. */
export async function openScript(path: string, crew: Crew, others?: CrewFile): Promise<Script> {
  const file = await readScript(path, crew, others);
  if (file.script === undefined || hasErrors(file)) throw refuse(path, file);
  return file.script;
}

function hasErrors({ findings }: ScriptFile): boolean {
  return countOf(findings, "error") > 0;
}

/** Prints the errors, and gives the error to throw. */
function refuse(path: string, { findings, texts }: ScriptFile): BatonError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const screen = new Screen(openOutput(process.stderr));
  const { isTerminal, width } = screen;
  screen.draw(errors.flatMap((finding) => toFindingLines(finding, { texts, isTerminal, width })));
  const what = path === "." ? "the crew in this folder" : path;
  const fix = errors.length === 1 ? "fix it" : "fix them";
  return new BatonError(
    "invalid",
    `${what} has ${countNoun(errors.length, "error")}, shown above; ${fix} and try again`,
  );
}
