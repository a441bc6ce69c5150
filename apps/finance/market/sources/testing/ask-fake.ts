/**
 * Ask fake: a source on a fake service, in a scope whose clock starts when its answers were kept.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, Scope } from "@baton/core/ports";
import { z } from "zod";
import { isCapability } from "../../chain/chain-table.ts";
import type { Directory } from "../../port/listing.ts";
import type { MarketErrorKind } from "../../port/market-error.ts";
import type { FakeServer, Reply, Seen } from "../../testing/fake-server.ts";
import { type FakeSourceOptions, startFake } from "../../testing/fake-source.ts";
import type { FetchLimits } from "../http/guarded-fetch.ts";
import type { LiveSource } from "../live-source.ts";
import { secSource } from "../sec/sec.ts";
import { findSource } from "../sources.ts";
import { scopeAt } from "./scope-at.ts";

/** A question to a source. */
export type Question<T> = (source: LiveSource, scope: Scope) => Promise<T> | undefined;

/** Settings of the service and its source. */
export interface AskFakeOptions extends FakeSourceOptions {
  /** The whole answer to every request, as JSON. */
  readonly body?: unknown;
  readonly at?: number;
  /** In place of one that stands at that time. */
  readonly clock?: Clock;
  readonly key?: string;
  readonly limits?: Partial<FetchLimits>;
  readonly directory?: Pick<Directory, "get">;
}

/** A source and the service that it asks, until it is disposed of. */
export class AskedSource implements AsyncDisposable {
  readonly server: FakeServer;
  readonly source: LiveSource;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly waits: readonly number[];

  constructor(server: FakeServer, source: LiveSource, { at, clock: own }: AskFakeOptions) {
    const { scope, clock, waits } = scopeAt(at);
    this.server = server;
    this.source = source;
    this.scope = own === undefined ? scope : Scope.root({ clock: own });
    this.clock = own ?? clock;
    this.waits = waits;
  }

  get requests(): readonly Seen[] {
    return this.server.requests;
  }

  /** The answer to a question. */
  async ask<T>(question: Question<T>): Promise<T> {
    return (await question(this.source, this.scope)) ?? assert.fail(`${this.source.name} does not serve that`);
  }

  /** Expects a question to fail. */
  async fails(question: Question<unknown>, expected: Failure): Promise<void> {
    await assert.rejects(async () => question(this.source, this.scope), { name: "MarketError", ...expected });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scope[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

export type Failure = Readonly<{ kind: MarketErrorKind; message?: RegExp | string; details?: object }>;

/** A question by its capability and query, for questions that stand in a file. */
export const toQuestion =
  ([capability, query]: AskedLine): Question<unknown> =>
  async (source, scope) => {
    const ask: unknown = source[capability];
    if (typeof ask !== "function") return assert.fail(`${source.name} does not serve ${capability}`);
    const answer: unknown = await Reflect.apply(ask, undefined, [query, scope]);
    return answer;
  };

/** A capability and a query, as they stand in a file. */
export const AskedLine = z.tuple([z.string().refine(isCapability), z.unknown()]);
type AskedLine = z.infer<typeof AskedLine>;

/** The lines of a file of `fixtures`. */
export function readFixture<T>(name: string, schema: z.ZodType<T>): readonly T[] {
  const text = readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Opens a source on its fake service: `await using bls = await askFake("bls")`. */
export async function askFake(name: string, options: AskFakeOptions = {}): Promise<AskedSource> {
  const { body, answer, key = "k", directory, limits = {} } = options;
  const whole: Reply | undefined = body === undefined ? undefined : { body: JSON.stringify(body) };
  const server = await startFake(name, { ...options, answer: (seen) => answer?.(seen) ?? whole });
  const place = { key, limits, baseUrl: server.url, ...(directory && { directory }) };
  const source = name === "sec" ? openSec(server, options) : findSource(name)?.open?.(place);
  return new AskedSource(server, source ?? assert.fail(`there is no source ${name}`), options);
}

/** All hosts of the SEC are one server; the key is its contact. */
const openSec = ({ url }: FakeServer, { key = "me@host.org" }: AskFakeOptions): LiveSource =>
  secSource({ contact: key, baseUrls: { www: url, data: url, search: url } });
