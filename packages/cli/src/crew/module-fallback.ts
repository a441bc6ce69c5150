/**
 * Crew modules: how a crew's own TypeScript finds Baton and `zod` from any folder.
 *
 * A crew that has them installed gets its own; if its own resolution fails, the command's copies are given. The command
 * has no copy of `@baton/baton`: what tools need of it is in `@baton/core`.
 */
import { registerHooks } from "node:module";

/** What an application installs, and the package that its words for tools come from. */
const APPLICATION = "@baton/baton";
const CORE = "@baton/core";
const GIVEN = ["@baton/assistant", CORE, "@baton/server/mount", "zod"] as const;

/** Makes the command's copies available to modules that find none of their own, from now on. */
export function giveModules(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        const given = specifier === APPLICATION ? CORE : specifier;
        if (!isGiven(given)) throw error;
        return nextResolve(given, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

function isGiven(specifier: string): boolean {
  return GIVEN.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
