import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PlainAsyncDisposableStack } from "./async-disposable-stack.ts";

/** A resource of a stack, and whether disposing it fails. */
const STEP = fc.record({
  add: fc.constantFrom("use", "useSync", "adopt", "defer", "nothing"),
  fails: fc.boolean(),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;
type Stack = PlainAsyncDisposableStack | AsyncDisposableStack;

test("it ends what was added as the platform's own class does, also if some of it fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 8 }), fc.boolean(), async (steps, isMoved) => {
      const own = await play(new PlainAsyncDisposableStack(), steps, { isMoved });
      assert.deepEqual(own, await play(new AsyncDisposableStack(), steps, { isMoved }));
    }),
  );
});

/** Everything that happens to a stack, as text. */
async function play(
  stack: Stack,
  steps: readonly Step[],
  { isMoved }: { readonly isMoved: boolean },
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const [at, { add: how, fails }] of steps.entries()) {
    const end = (): void => {
      seen.push(`${how} ${at}`);
      if (fails) throw new Error(`failed ${at}`);
    };
    add(stack, how, end);
  }
  const last = isMoved ? stack.move() : stack;
  seen.push(`${stack.disposed}`);
  await last.disposeAsync().catch((error: unknown) => seen.push(...failuresOf(error)));
  await last[Symbol.asyncDispose]();
  for (const one of [stack, last]) {
    seen.push(`${one.disposed}`);
    assert.throws(() => one.defer(() => undefined), ReferenceError);
    assert.throws(() => one.move(), ReferenceError);
  }
  return seen;
}

function add(stack: Stack, how: Step["add"], end: () => void): void {
  if (how === "use") stack.use({ [Symbol.asyncDispose]: async () => end() });
  if (how === "useSync") stack.use({ [Symbol.dispose]: end });
  if (how === "adopt") assert.equal(stack.adopt("value", end), "value");
  if (how === "defer") stack.defer(end);
  if (how === "nothing") assert.equal(stack.use(undefined), undefined);
}

/** From the last failure to the first. */
function failuresOf(error: unknown): readonly string[] {
  if (!(error instanceof SuppressedError)) return [String(error)];
  return [String(error.error), ...failuresOf(error.suppressed)];
}
