/**
 * AsyncDisposableStack for Node 22, which lacks it: the platform's own class if there is one.
 *
 * The build puts it into the packages that use the class. It has the part of the standard that they use: `use`, `adopt`,
 * `defer`, `move`, `disposeAsync`.
 */
type Dispose = () => unknown;
type Resource = AsyncDisposable | Disposable | null | undefined;

/** Ends what was added in reverse order, all of it even if some fail, and then throws what failed. */
export class PlainAsyncDisposableStack implements AsyncDisposable {
  readonly [Symbol.toStringTag] = "AsyncDisposableStack";
  #disposes: Dispose[] = [];
  #isDisposed = false;

  get disposed(): boolean {
    return this.#isDisposed;
  }

  use<T extends Resource>(value: T): T {
    this.#check();
    if (value === null || value === undefined) return value;
    this.#disposes.push(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()));
    return value;
  }

  adopt<T>(value: T, dispose: (value: T) => unknown): T {
    this.defer(() => dispose(value));
    return value;
  }

  defer(dispose: Dispose): void {
    this.#check();
    this.#disposes.push(dispose);
  }

  /** Moves all resources to the stack that is returned. */
  move(): PlainAsyncDisposableStack {
    this.#check();
    const moved = new PlainAsyncDisposableStack();
    moved.#disposes = this.#disposes;
    this.#disposes = [];
    this.#isDisposed = true;
    return moved;
  }

  async disposeAsync(): Promise<void> {
    this.#isDisposed = true;
    const failures: unknown[] = [];
    for (const dispose of this.#disposes.splice(0).toReversed()) {
      try {
        await dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.reduce(toSuppressed);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }

  #check(): void {
    if (this.#isDisposed) throw new ReferenceError("the stack is disposed of already");
  }
}

/** As the standard has it: the later failure, with the earlier one that it hides. */
function toSuppressed(suppressed: unknown, error: unknown): unknown {
  if (typeof SuppressedError === "function") return new SuppressedError(error, suppressed);
  return Object.assign(new Error("An error was suppressed during disposal"), {
    name: "SuppressedError",
    error,
    suppressed,
  });
}

/** The class by its standard name. */
export const AsyncDisposableStack = globalThis.AsyncDisposableStack ?? PlainAsyncDisposableStack;
