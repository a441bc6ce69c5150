/**
 * Turn queue: items of several owners, served by turns between the owners and in order of arrival for each of them.
 */

/** A queue in which an owner with many items delays the others by one item at a time. */
export class TurnQueue<T> {
  /** By owner; the first line is the one whose turn it is. */
  readonly #lines = new Map<string, Set<T>>();

  get size(): number {
    return this.#lines.values().reduce((sum, { size }) => sum + size, 0);
  }

  add(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, new Set([item]));
    else line.add(item);
  }

  /** The item whose turn it is. */
  next(): T | undefined {
    for (const item of this) return item;
    return undefined;
  }

  /** Removes an item that gives up; its owner keeps its turn. */
  remove(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    line?.delete(item);
    if (line?.size === 0) this.#lines.delete(owner);
  }

  /** Removes an item that was served; the next turn of its owner is after all others'. */
  serve(owner: string, item: T): void {
    this.remove(owner, item);
    const line = this.#lines.get(owner);
    if (line === undefined) return;
    this.#lines.delete(owner);
    this.#lines.set(owner, line);
  }

  /** The items in the order in which they will be served if no other comes. */
  *[Symbol.iterator](): Generator<T> {
    const lines = Array.from(this.#lines.values(), (line) => line.values());
    for (let open = lines; open.length > 0;) {
      const left: SetIterator<T>[] = [];
      for (const line of open) {
        const { done, value } = line.next();
        if (done === true) continue;
        yield value;
        left.push(line);
      }
      open = left;
    }
  }
}
