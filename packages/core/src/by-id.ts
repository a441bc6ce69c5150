/**
 * By id: things that come and go by their names, many a second.
 *
 * A Map would do but for its garbage: a table that it has outgrown points to the next one and to all that was in it,
 * so once such a table is old, whatever passed through survives every small collection until the next full one.
 */

/** Things by their ids. */
export class ById<T> {
  readonly #all: Record<string, T> = {};

  constructor() {
    Object.setPrototypeOf(this.#all, null);
  }

  get(id: string): T | undefined {
    return this.#all[id];
  }

  set(id: string, thing: T): void {
    this.#all[id] = thing;
  }

  delete(id: string): void {
    Reflect.deleteProperty(this.#all, id);
  }

  /** In no particular order. */
  values(): readonly T[] {
    return Object.values(this.#all);
  }
}
