/**
 * Optional package: a part of Baton that a program installs only if it needs it.
 */
import { BatonError } from "@baton/core";

/** The module, or undefined if its package is not installed. Any other failure to load it is thrown. */
export async function importOptional<T>(name: string, load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (isMissing && error.message.includes(`'${name}'`)) return undefined;
    throw error;
  }
}

/** The module; throws `invalid` with the package to install if it is missing. */
export async function importNeeded<T>(
  { name, needs }: Readonly<{ name: string; needs: string }>,
  load: () => Promise<T>,
): Promise<T> {
  const module = await importOptional(name, load);
  if (module !== undefined) return module;
  throw new BatonError("invalid", `${needs} needs the package ${name}: npm install ${name}`);
}
