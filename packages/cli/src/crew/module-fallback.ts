/**
 * Module fallback: lets a crew's TypeScript import Baton and `zod` from any folder.
 *
 * If the crew has the package installed, it gets its own copy, else the copy of the command.
 */
import { registerHooks } from "node:module";

const GIVEN = ["@baton/assistant", "@baton/baton", "@baton/core", "@baton/server/mount", "zod"] as const;

/** Resolves these packages to the command's copies, from now on, if the importing module has none. */
export function registerModuleFallback(): void {
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
