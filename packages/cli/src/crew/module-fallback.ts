/**
 * Module fallback: lets a crew's TypeScript import Baton and `zod` from any folder.
 *
 * If the crew has the package installed, it gets its own copy, else the copy of the command. The command has no
 * `@baton/baton`; `@baton/core` replaces it, with the same functions for tools.
 */
import { registerHooks } from "node:module";

/** The package that an application installs, and the one that replaces it here. */
const APPLICATION = "@baton/baton";
const CORE = "@baton/core";
const GIVEN = ["@baton/assistant", CORE, "@baton/server/mount", "zod"] as const;

/** Resolves these packages to the command's copies, from now on, if the importing module has none. */
export function registerModuleFallback(): void {
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
