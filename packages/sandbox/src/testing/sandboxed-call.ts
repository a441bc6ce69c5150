/**
 * Sandboxed call: makes calls at the level `process` from a folder of their own, and tells how they ended as one text.
 */
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@baton/core";
import { type Level, type LevelJob, limitsOf, type PathGrant, Scope, SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { toolContext } from "@baton/core/testing";
import { processLevel } from "../process/process-level.ts";

/** A folder with a level; both end with the block. */
export interface SandboxTrial extends AsyncDisposable {
  readonly folder: string;
  readonly level: Level;
  /** Why the level cannot be used on this machine. */
  readonly missing: string | undefined;
  /** Runs a program: `output JSON`, or `kind: message`. */
  call(command: readonly string[], more?: Partial<LevelJob>): Promise<string>;
  grant(name: string, isWritable?: "writable"): Promise<PathGrant>;
}

/** Opens a folder with `data/a.txt`, a writable `out`, a `.env`, and a data folder with a database. */
export async function openTrial(resolve?: (name: string) => Promise<readonly string[]>): Promise<SandboxTrial> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "trial-")));
  await chmod(folder, 0o755);
  const files = { "data/a.txt": "hello", "out/.keep": "", ".env": "KEY=dotsecret1", "kept/baton.db": "runsecret1" };
  for (const [name, text] of Object.entries({ ...files, "deep/.git/config": "gitsecret1", "deep/b.txt": "b" })) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await chmod(join(folder, "out"), 0o777);
  const scope = Scope.root({ clock: new SystemClock() });
  const level = processLevel({ env: process.env, scope, ...(resolve === undefined ? {} : { resolve }) });
  return {
    folder,
    level,
    missing: await level.missing(),
    async call(command, more = {}) {
      const sandbox = { ...limitsOf("process"), cpu_seconds: 3, ...more.sandbox };
      const job = {
        tool: "t",
        code: { kind: "command", command },
        input: { a: 1 },
        folder,
        paths: [],
        env: {},
      } as const;
      const own = scope.child({ name: "call", timeoutMs: 10_000 });
      const context = { ...toolContext()(), scope: own };
      const dataFolder = join(folder, "kept");
      try {
        return `output ${JSON.stringify(await level.run({ ...job, dataFolder, context, ...more, sandbox }, own))}`;
      } catch (error) {
        return `${error instanceof ToolError ? error.kind : "error"}: ${toMessage(error)}`;
      } finally {
        await own[Symbol.asyncDispose]();
      }
    },
    async grant(name, isWritable) {
      const path = join(folder, name);
      return { path, real: await realpath(path), isWritable: isWritable !== undefined };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
