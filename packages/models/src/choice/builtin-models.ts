/**
 * Built-in models: those that need no provider. They play a script, follow rules or are a crew's programs.
 */

/** The whole names of those that are not programs. */
export const BUILTIN_MODELS: ReadonlySet<string> = new Set(["script", "offline"]);

/** Whether a model comes without a provider. */
export function isBuiltinModel(model: string): boolean {
  return BUILTIN_MODELS.has(model) || model.startsWith("code/");
}
