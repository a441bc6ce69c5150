/**
 * Scope tree: the beginning of a test about scopes.
 *
 * A root in simulated time, and work of the two kinds that matter when it is cancelled.
 */
import { Scope } from "../lifetimes/scope.ts";
import { SimulatedClock } from "./simulated-clock.ts";

/** Work that ends as soon as it is told to. */
export const obedient = (scope: Scope): Promise<never> =>
  new Promise<never>((_resolve, reject) => {
    scope.abort.addEventListener("abort", () => reject(new Error("obeyed")));
  });

/** A tree to grow, and the time it lives in. */
export function begin(): { readonly clock: SimulatedClock; readonly root: Scope } {
  const clock = new SimulatedClock(1);
  return { clock, root: Scope.root({ clock }) };
}
