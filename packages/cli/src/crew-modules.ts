/**
 * Crew modules: how a crew's own TypeScript finds Baton and `zod` from any folder.
 *
 * A crew that has them installed gets its own; where its own resolution fails, the command's copies are given.
 */
import { registerHooks } from "node:module";

const GIVEN = ["@baton/assistant", "@baton/core", "@baton/server/mount", "zod"] as const;

/** Makes the command's copies available to modules that find none of their own, from now on. */
export function giveModules(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        if (!isGiven(specifier)) throw error;
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

function isGiven(specifier: string): boolean {
  return GIVEN.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
