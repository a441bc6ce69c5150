/**
 * Unprovided: the models that come without a provider. They play a script, follow rules or are a crew's programs.
 */

/** The whole names of those that are not programs. */
export const UNPROVIDED: ReadonlySet<string> = new Set(["script", "offline"]);

/** Whether a model comes without a provider. */
export function isUnprovided(model: string): boolean {
  return UNPROVIDED.has(model) || model.startsWith("code/");
}
