/**
 * Page suite: the browser, the limits and the waits that all page tests share.
 *
 * A test waits for what it wants to see, never for a time. The limits only end a test that would wait for ever, so they
 * are far above what a loaded machine takes.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator } from "playwright-core";
import { noBrowser, openBrowser } from "../../../server/src/testing/browser.ts";

/** The longest that a page may take to show what a test waits for. */
const PAGE_TIMEOUT_MS = 60_000;
const LOOK_MS = 20;

/** Options of a suite: skipped on machines without a browser, ended if it hangs. */
export const PAGE_SUITE = { skip: noBrowser, timeout: 1_800_000 } as const;

/** Settings of a crew whose model waits for the test: it may be silent as long as the suite runs. */
export const PATIENT = { modelIdleMs: PAGE_SUITE.timeout, timeoutMs: PAGE_SUITE.timeout } as const;

/** Starts a browser whose pages wait that long; the caller closes it. */
export async function openPageBrowser(): Promise<Browser> {
  const browser = await openBrowser();
  browser.on("context", (context) => context.setDefaultTimeout(PAGE_TIMEOUT_MS));
  return browser;
}

/** Waits until something holds. It looks from outside: the page's policy forbids scripts that a test writes as text. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PAGE_TIMEOUT_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not so within ${PAGE_TIMEOUT_MS} ms: ${isSo.toString()}`);
    await sleep(LOOK_MS);
  }
}

/** Waits until a value is the one that is wanted; fails with the difference. */
export async function untilEqual<T>(read: () => Promise<T>, wanted: T, message?: string): Promise<void> {
  const deadline = performance.now() + PAGE_TIMEOUT_MS;
  for (;;) {
    const value = await read();
    try {
      return assert.deepEqual(value, wanted, message);
    } catch (failure) {
      if (performance.now() > deadline) throw failure;
    }
    await sleep(LOOK_MS);
  }
}

/** Waits until nothing of the kind is on the page. */
export async function untilGone(some: Locator): Promise<void> {
  await untilEqual(() => some.count(), 0);
}
