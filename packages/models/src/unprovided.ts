/**
 * Unprovided: the models that come without a provider. They play a script or follow rules.
 */

/** Their whole names. */
export const UNPROVIDED: ReadonlySet<string> = new Set(["script", "offline"]);
