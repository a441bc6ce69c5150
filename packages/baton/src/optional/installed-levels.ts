/**
 * Installed levels: `process` and `wasm` of `@baton/sandbox`, which is imported when a crew has a tool that asks for one.
 */
import { type Level, LEVELS, Scope, SystemClock } from "@baton/core/ports";
import { importOptional } from "./optional-package.ts";

const MISSING = "the package @baton/sandbox is not installed; npm install @baton/sandbox";

/** The levels of this process. What they try on this machine, they try once. */
export function installedLevels(env: Readonly<Record<string, string | undefined>> = process.env): readonly Level[] {
  return [
    whenAsked("process", async () => {
      const sandbox = await load();
      const scope = Scope.root({ clock: new SystemClock(), name: "sandbox" });
      return sandbox?.processLevel({ env, scope });
    }),
    whenAsked("wasm", async () => (await load())?.wasmLevel()),
  ];
}

/** Levels for a command that only looks at a crew: nothing is looked for on this machine, and no call can be made. */
export function assumedLevels(): readonly Level[] {
  const run: Level["run"] = () => Promise.reject(new Error("this command calls no tools"));
  return LEVELS.map((level) => ({ level, missing: () => Promise.resolve(undefined), run }));
}

function load() {
  return importOptional("@baton/sandbox", () => import("@baton/sandbox"));
}

function whenAsked(level: Level["level"], open: () => Promise<Level | undefined>): Level {
  let opening: Promise<Level | undefined> | undefined;
  const get = (): Promise<Level | undefined> => (opening ??= open());
  return {
    level,
    async missing() {
      const found = await get();
      return found === undefined ? MISSING : found.missing();
    },
    async check(tool) {
      return (await get())?.check?.(tool);
    },
    async run(job, scope) {
      const found = await get();
      if (found === undefined) throw new Error(MISSING);
      return found.run(job, scope);
    },
  };
}
