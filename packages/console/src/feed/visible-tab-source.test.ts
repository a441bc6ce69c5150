/** A hidden tab keeps no connection, and what it shows of a run is complete all the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, type Reconnect, type RunEvent } from "@baton/client";
import * as fc from "fast-check";
import { z } from "zod";
import { type RunSource, openVisibleTabSource } from "./visible-tab-source.ts";

const eventOf = (seq: number, type: string): RunEvent =>
  z.custom<RunEvent>(() => true).parse({ run: "r", seq, at: seq, lane: "", type });

const TRY_EVERY = 3;

/** A tab that is shown and hidden by a test, before a run that grows by one event each time a reader waits for it. */
class Tab {
  readonly given: number[] = [];
  readonly lost: Reconnect[] = [];
  connected = 0;
  streams = 0;
  /** Streams that were open while the tab was hidden and had been told so. */
  kept = 0;
  readonly #listeners = new Set<() => void>();
  readonly #log: readonly RunEvent[];
  readonly #flips: boolean[];
  readonly #failing: number[];
  #tryNow = (): void => {};
  #isTabVisible = true;
  #grown = 0;

  constructor(size: number, flips: readonly boolean[] = [], failing: readonly number[] = []) {
    this.#log = Array.from({ length: size }, (_, index) =>
      eventOf(index + 1, index + 1 === size ? "run.ended" : "text.delta"),
    );
    this.#flips = [...flips];
    this.#failing = [...failing];
  }

  async follow(abort?: AbortSignal): Promise<void> {
    const source = openVisibleTabSource({
      client: this.#client(),
      isTabVisible: () => this.#isTabVisible,
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      wait: async () => this.#pass(),
    });
    this.#tryNow = source.tryNow;
    const options = {
      abort,
      onConnected: () => this.connected++,
      onReconnect: (lost: Reconnect) => this.lost.push(lost),
    };
    for await (const batch of source.followBatches("r", options)) this.given.push(...batch.map(({ seq }) => seq));
    assert.equal(this.#listeners.size, 0);
  }

  /** Time passes: the run goes on, and the reader may go to another tab or be impatient. */
  #pass(): void {
    this.#grown = Math.min(this.#log.length, this.#grown + 1);
    if (this.#grown % TRY_EVERY === 0) this.#tryNow();
    const isTabVisible = this.#flips.shift() ?? this.#isTabVisible;
    if (isTabVisible === this.#isTabVisible) return;
    this.#isTabVisible = isTabVisible;
    for (const listener of this.#listeners) listener();
  }

  #client(): RunSource {
    return {
      events: async (_run, { after = 0 } = {}) => {
        if (this.#failing.shift() === 1) throw new ClientError("network", "The server cannot be reached");
        return this.#log.slice(after, this.#grown);
      },
      followBatches: (_run, { after = 0, abort } = {}) => this.#stream(after, abort),
    };
  }

  async *#stream(after: number, abort: AbortSignal | undefined): AsyncGenerator<readonly RunEvent[], void, undefined> {
    this.streams++;
    const isOver = (): boolean => abort?.aborted === true;
    for (let last = after; !isOver(); this.#pass()) {
      if (!this.#isTabVisible) this.kept++;
      const batch = this.#log.slice(last, this.#grown);
      if (batch.length > 0) yield batch;
      last = this.#grown;
      if (last === this.#log.length) return;
    }
  }
}

test("every event is given once and in order, however often the tab is hidden and the connection lost", async () => {
  const flips = fc.array(fc.boolean(), { maxLength: 30 });
  const failing = fc.array(fc.constantFrom(0, 1), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 25 }), flips, failing, async (size, flipped, failed) => {
      const tab = new Tab(size, flipped, failed);
      await tab.follow();
      assert.deepEqual(
        tab.given,
        Array.from({ length: size }, (_, index) => index + 1),
      );
      assert.equal(tab.kept, 0);
    }),
  );
});

test("a tab that stays hidden opens no stream, says when it cannot ask, and asks again", async () => {
  const tab = new Tab(4, [false], [1, 1, 0]);
  await tab.follow();
  assert.equal(tab.streams, 1);
  assert.deepEqual(
    tab.lost.map(({ failures }) => failures),
    [1, 2],
  );
  assert.ok(tab.connected > 0);
  assert.deepEqual(tab.given, [1, 2, 3, 4]);
});

test("it ends when it is aborted", async () => {
  const abort = new AbortController();
  abort.abort();
  const tab = new Tab(4);
  await tab.follow(abort.signal);
  assert.deepEqual(tab.given, []);
});

test("a reader who does not want to wait gets another connection at once", async () => {
  const tab = new Tab(7);
  await tab.follow();
  assert.equal(tab.streams, 3);
  assert.equal(tab.given.length, 7);
});
