/**
 * Hanging process: a program with a watchdog whose event loop stops turning in the way that its argument names.
 */
import { startWatchdog } from "../watchdog.ts";

const WAYS: Readonly<Record<string, () => void>> = {
  loop: spinForEver,
  expression: () => /^(a+)+$/.test(`${"a".repeat(40)}b`),
  wait: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  "short work": () => undefined,
};

await using _watchdog = startWatchdog({ timeoutMs: 600 });
const { promise, resolve } = Promise.withResolvers<void>();
setTimeout(() => {
  WAYS[process.argv[2] ?? ""]?.();
  setTimeout(resolve, 1_200);
}, 100);
await promise;

function spinForEver(): void {
  for (;;);
}
