/**
 * Wait: time that passes in a page.
 */

/** Waits, or until it is aborted. */
export function wait(ms: number, abort?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      abort?.removeEventListener("abort", go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    if (abort?.aborted === true) go();
    else abort?.addEventListener("abort", go);
  });
}
