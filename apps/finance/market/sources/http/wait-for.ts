/**
 * Wait for: waits for work that a scope does not own, for as long as the scope lives.
 */
import type { Scope } from "@baton/core/ports";

/** The work's result; if the scope is cancelled first, its reason, and `leave` is called. */
export function waitFor<T>(scope: Scope, work: Promise<T>, leave: () => void = () => undefined): Promise<T> {
  return scope.wait((go) => {
    // The promise itself is passed on, so that a failure after the wait is over is nobody's.
    const pass = () => go(work);
    work.then(pass, pass);
    return leave;
  });
}
