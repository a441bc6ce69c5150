/**
 * Installed interpreter: that of `@baton/sandbox`, which is imported when a crew has an agent that writes code.
 */
import type { Interpreter } from "@baton/core/ports";
import { importOptional } from "./optional-package.ts";

/** Opens the interpreter once; `maxCode` codes run at once, others wait in line. Undefined if it is not installed. */
export function installedInterpreter(maxCode?: number): () => Promise<Interpreter | undefined> {
  let opening: Promise<Interpreter | undefined> | undefined;
  const open = async () => {
    const sandbox = await importOptional("@baton/sandbox", () => import("@baton/sandbox"));
    return sandbox?.openInterpreter(maxCode === undefined ? {} : { maxCode });
  };
  return () => (opening ??= open());
}
