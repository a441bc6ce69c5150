/**
 * By id: a map for entries that are added and removed many times a second.
 *
 * A `Map` keeps garbage alive: a table that it has outgrown points to the next one and to all its entries. Once such
 * a table is in the old generation, every entry that passed through survives until the next full collection.
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
