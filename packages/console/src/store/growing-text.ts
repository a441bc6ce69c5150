/**
 * Growing text: what a model wrote, and how much of it there was at every event.
 */

/** A text that only ever grows. */
export class GrowingText {
  #text = "";
  /** After event `#seqs[i]` it was `#ends[i]` characters long. */
  readonly #seqs: number[] = [];
  readonly #ends: number[] = [];

  /** All of it. */
  get text(): string {
    return this.#text;
  }

  /** Takes the next piece, which came with an event. */
  add(seq: number, piece: string): void {
    this.#text += piece;
    this.#seqs.push(seq);
    this.#ends.push(this.#text.length);
  }

  /** The text as it was right after an event. */
  at(seq: number): string {
    const count = countUpTo(this.#seqs, seq);
    return count === this.#seqs.length ? this.#text : this.#text.slice(0, this.#ends[count - 1] ?? 0);
  }
}

/** Counts the numbers of a sorted list that are at most `limit`. */
export function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
