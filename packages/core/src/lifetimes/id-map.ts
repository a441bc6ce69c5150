/**
 * By id: a map for entries that are added and removed many times a second.
 *
 * A `Map` keeps garbage alive: a table that it has outgrown points to the next one and to all its entries. Once such
 * a table is in the old generation, every entry that passed through survives until the next full collection.
 */

/** Things by their ids. */
export class IdMap<T> {
  readonly #all: Record<string, T> = {};
  #size = 0;

  constructor() {
    Object.setPrototypeOf(this.#all, null);
  }

  get(id: string): T | undefined {
    return this.#all[id];
  }

  set(id: string, thing: T): void {
    if (!(id in this.#all)) this.#size++;
    this.#all[id] = thing;
  }

  delete(id: string): void {
    if (id in this.#all) this.#size--;
    Reflect.deleteProperty(this.#all, id);
  }

  get size(): number {
    return this.#size;
  }

  /** In no particular order. */
  values(): readonly T[] {
    return Object.values(this.#all);
  }
}
