/**
 * `baton bisect`: finds the commit of a crew's folder since which recorded runs are decided otherwise.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BatonError } from "@baton/core";
import { parseJson } from "@baton/core/util";
import type { Tried } from "@baton/evals";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { searchCrew } from "../crew/crew-search.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { requireRun } from "../runs/run-search.ts";
import { toOneLine } from "../terminal/printable.ts";
import { folderOfCrew } from "./case-files.ts";

const run = promisify(execFile);
const BATON = fileURLToPath(new URL("../../bin/baton.js", import.meta.url));
const MAX_BYTES = 64 * 1_024 * 1_024;
const TIMEOUT_MS = 120_000;
const MAX_COMMITS = 10_000;

/** Finds the first commit that decides otherwise. */
export const command: CliCommand = async (commandLine) => {
  const { positionals } = commandLine;
  const last = positionals.at(-1);
  const isNamed = last !== undefined && positionals.length > 1 && (await isCrew(last));
  const words = isNamed ? positionals.slice(0, -1) : positionals;
  const good = valueOf(commandLine, "good");
  if (words.length === 0 || good === undefined) throw new BatonError("invalid", "write `baton bisect RUN… --good REV`");
  const runs = await findRuns(commandLine, words);
  const path = await findFolder(runs[0]?.crew ?? "", isNamed ? last : undefined);
  const search = new Search({ commandLine, path, runs: runs.map(({ id }) => id) });
  const { bisect } = await import("@baton/evals");
  const [first, end] = [await search.revision(good), await search.revision(valueOf(commandLine, "bad") ?? "HEAD")];
  if ((await search.attempt(first)) !== "same")
    throw new BatonError("invalid", `${toOneLine(good)} is not good: ${search.difference}`);
  const commits = await search.commits(first, end);
  const newest = commits.at(-1);
  const tried = newest === undefined ? "same" : await search.attempt(newest);
  if (tried !== "differs") {
    const why = tried === "same" ? "the runs are decided as with the good one" : search.difference;
    throw new BatonError("invalid", `${valueOf(commandLine, "bad") ?? "HEAD"} is not bad: ${why}`);
  }
  const found = await bisect(commits, (commit) => search.attempt(commit));
  if (found === undefined) throw new BatonError("internal", "there is no commit");
  await search.attempt(found.first);
  const skipped = found.skipped.map((commit) => `  could not be tried: ${commit.slice(0, 12)}\n`).join("");
  process.stdout.write(`${await search.describe(found.first)}\n${skipped}${search.difference}\n`);
  return 0;
};

async function findRuns(commandLine: CommandLine, words: readonly string[]) {
  await using database = await requireDatabase(folderOf(commandLine));
  return await Promise.all(words.map((word) => requireRun(database, word)));
}

async function findFolder(crew: string, named: string | undefined): Promise<string> {
  const found = named === undefined ? await searchCrew(crew) : await findCrew(named);
  if (found !== undefined) return resolve(found);
  throw new BatonError("invalid", `the crew ${crew} is not in this folder; name the folder of that crew`);
}

type SearchOptions = Readonly<{ commandLine: CommandLine; path: string; runs: readonly string[] }>;

class Search {
  readonly #options: SearchOptions;
  /** The first difference of the last attempt, or why it could not be made. */
  difference = "";

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async #git(...args: readonly string[]): Promise<string> {
    const cwd = folderOfCrew(this.#options.path);
    const { stdout } = await run("git", [...args], { cwd, maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS }).catch(
      (error: unknown) => {
        const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
        throw new BatonError("invalid", `git ${args[0] ?? ""}: ${toOneLine(said.trim())}`);
      },
    );
    return stdout.trim();
  }

  /** The commit of a revision; a word that looks like an option of git is refused. */
  async revision(word: string): Promise<string> {
    return this.#git("rev-parse", "--verify", "--end-of-options", `${word}^{commit}`);
  }

  /** Commits after the good one that touch the crew's folder, the oldest first. */
  async commits(good: string, bad: string): Promise<readonly string[]> {
    const list = await this.#git("rev-list", "--reverse", `--max-count=${MAX_COMMITS}`, `${good}..${bad}`, "--", ".");
    return list === "" ? [] : list.split("\n");
  }

  async describe(commit: string): Promise<string> {
    return this.#git("show", "--no-patch", "--format=%h %s", commit);
  }

  /** Replays the runs with the crew of a commit. */
  async attempt(commit: string): Promise<Tried> {
    const folder = await mkdtemp(join(tmpdir(), "baton-bisect-"));
    try {
      return await this.#replay(commit, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #replay(commit: string, folder: string): Promise<Tried> {
    const { path, runs, commandLine } = this.#options;
    const archive = join(folder, "crew.tar");
    const crew = join(folder, "crew");
    await this.#git("archive", "--format=tar", `--output=${archive}`, `${commit}:./`);
    await run("mkdir", [crew]);
    await run("tar", ["-xf", archive, "-C", crew]);
    const file = path === folderOfCrew(path) ? crew : join(crew, path.slice(folderOfCrew(path).length + 1));
    for (const id of runs) {
      const asked = ["replay", id, "--against", file, "--json", "--data", folderOf(commandLine)];
      const { code, stdout, stderr } = await runBaton(asked);
      if (code === 0) continue;
      const said = parseJson(stdout);
      if (code !== 1 || !isDifferent(said)) {
        this.difference = `${commit.slice(0, 12)} cannot be tried: ${toOneLine(stderr.trim().split("\n").at(-1) ?? "")}`;
        return "skipped";
      }
      const { difference } = said;
      const text = typeof difference === "object" && difference !== null && "text" in difference ? difference.text : "";
      this.difference = `run ${id}: ${toOneLine(String(text))}`;
      return "differs";
    }
    this.difference = "no run differs";
    return "same";
  }
}

const isDifferent = (value: unknown): value is { readonly difference: unknown } =>
  typeof value === "object" && value !== null && "difference" in value;

async function runBaton(args: readonly string[]): Promise<Readonly<{ code: number; stdout: string; stderr: string }>> {
  const options = { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS };
  return run(process.execPath, [BATON, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => {
      const fields = new Map(typeof error === "object" && error !== null ? Object.entries(error) : []);
      const [stdout = "", stderr = ""] = [fields.get("stdout"), fields.get("stderr")].map(String);
      return { code: Number(fields.get("code") ?? 2), stdout, stderr };
    },
  );
}
