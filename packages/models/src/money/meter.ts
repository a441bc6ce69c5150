/**
 * Meter: one model, and what each of its calls may take, and takes.
 *
 * The worst case is reserved before a call and what the provider reported is settled after it, or an estimate from the
 * text. A call over a cap on calls waits. One warning a run says that figures are estimated, or that a cap in dollars
 * cannot be enforced because the model has no price.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import type { Account, Amount, Ledger, Scope, Usage } from "@baton/core/ports";
import { type Caller, quotaAccountsOf, createRefusal, runAccountsOf, describeUse } from "./accounts.ts";
import type { CallQueue } from "./call-queue.ts";
import { type FailureKind, failureOf, readCharsOf } from "../providers/failure.ts";
import { type Price, toUsd } from "./prices.ts";
import { isBuiltinModel } from "../choice/builtin-models.ts";
import { runOwnerOf, type PlanOf, ownerAccountsOf, toOwnerName } from "./user-accounts.ts";
import { toPromptTokens, toTextTokens } from "./worst-case.ts";

/** Options of a meter: the caller, and the ledger that counts its calls. */
export interface MeterOptions extends Caller {
  readonly ledger: Ledger;
  /** Where calls wait for room; one for all crews of an application. */
  readonly queue: CallQueue;
  /** The plan of a run's owner; without it no user has a default share. */
  readonly planOf?: PlanOf | undefined;
  /** Returns true the first time it is called with this key (used to warn once per run). */
  readonly isNews: (what: string) => boolean;
}

/** A call that has its reservation. */
interface Held {
  /** The prompt, with `maxTokens` within the cap. */
  readonly prompt: Prompt;
  readonly promptTokens: number;
  /** Warnings before the reply. */
  readonly warnings: readonly Chunk[];
  readonly settle: (spent: Amount) => Promise<readonly Chunk[]>;
}

/** Refusals of a provider; they cost nothing unless text was streamed before. */
const UNPAID: ReadonlySet<FailureKind> = new Set([
  "auth",
  "quota",
  "rate",
  "overloaded",
  "filter",
  "context",
  "request",
]);

/** A model whose calls are counted. */
export class Meter {
  /** Reserves for itself, and fails with code `limit` if it cannot. */
  readonly model: Model;
  readonly #inner: Model;
  readonly #price: Price | undefined;
  readonly #options: MeterOptions;
  readonly #quotas: readonly Account[];
  readonly #maxTokens: number;

  constructor(inner: Model, price: Price | undefined, options: MeterOptions) {
    const { agent, crew } = options;
    this.#inner = inner;
    this.#price = price;
    this.#options = options;
    // What needs no provider counts only in the limits that the caller of a run set.
    this.#quotas = isBuiltinModel(inner.name) ? [] : quotaAccountsOf(options);
    // It caps what a call writes: what it reads has a cap of its own, max_context_window, many times as large.
    this.#maxTokens = Math.floor(agent.costLimits?.maxTokensPerCall ?? crew.settings.maxTokensPerCall);
    this.model = {
      ...inner,
      stream: (prompt, scope) => (this.counts(prompt) ? this.#call(prompt, scope) : inner.stream(prompt, scope)),
    };
  }

  /** Whether a call counts anywhere. */
  counts({ limits }: Prompt): boolean {
    return this.#quotas.length > 0 || (limits?.maxTokens ?? limits?.maxUsd) !== undefined;
  }

  /** A reservation for this call, or why it is refused; yields what the log is told while the call waits. */
  async *reserve(prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[], Held | BatonError> {
    const accounts = await this.#accountsOf(prompt);
    const maxTokens = Math.min(prompt.maxTokens ?? Infinity, this.#maxTokens);
    if (maxTokens < 1) return toNoOutput(maxTokens);
    const promptTokens = toPromptTokens(prompt, this.#inner);
    const outputTokens = this.#inner.outputTokens?.(maxTokens, prompt.reasoning) ?? maxTokens;
    const worst = this.#worst(promptTokens, outputTokens, prompt);
    const { ledger, queue } = this.#options;
    const reserved = yield* queue.reserve({ ledger, accounts, worst, owner: toOwnerName(prompt) }, scope);
    if (!reserved.ok) return createRefusal(reserved.refusal, worst);
    return {
      prompt: { ...prompt, maxTokens },
      promptTokens,
      warnings: this.#priceWarnings(accounts, prompt),
      settle: async (spent) => (await reserved.settle(spent)).map((alert) => toWarning(describeUse(alert))),
    };
  }

  /** All that a call counts in; calls without a provider count only in the limits that the caller of the run set. */
  async #accountsOf(prompt: Prompt): Promise<readonly Account[]> {
    const own = runAccountsOf(this.#options, prompt);
    if (this.#quotas.length === 0) return own;
    const owner = runOwnerOf(prompt);
    // A run that has no owner was started by the program itself, not with a key.
    const limits = prompt.tenant === undefined ? undefined : await this.#options.planOf?.(owner);
    return [...own, ...ownerAccountsOf(this.#options.crew, owner, limits), ...this.#quotas];
  }

  /** The model, for the one call that is reserved. */
  with(held: Held): Model {
    return { ...this.#inner, stream: (_prompt, scope) => this.#play(held, scope) };
  }

  async *#call(prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[]> {
    const held = yield* this.reserve(prompt, scope);
    if (held instanceof BatonError) throw held;
    yield* this.#play(held, scope);
  }

  async *#play(held: Held, scope: Scope): AsyncGenerator<readonly Chunk[]> {
    const { promptCache } = held.prompt;
    let chars = 0;
    let isOpen = true;
    const known = (): Usage => ({ inputTokens: held.promptTokens, outputTokens: toTextTokens(chars) });
    const settle = (usage: Usage): Promise<readonly Chunk[]> => {
      isOpen = false;
      return held.settle(this.#amount(usage, promptCache));
    };
    try {
      if (held.warnings.length > 0) yield held.warnings;
      for await (const chunks of this.#inner.stream(held.prompt, scope)) {
        for (const chunk of chunks) chars += toChars(chunk);
        const end = chunks.at(-1);
        if (end?.type !== "end") {
          yield chunks;
          continue;
        }
        const usage = isReported(end.usage) ? end.usage : known();
        const warnings = [...(await settle(usage)), ...this.#estimateWarnings(end.usage, held.prompt)];
        const shown = isBuiltinModel(this.#inner.name) ? end.usage : usage;
        const cost = this.#price === undefined ? {} : { costUsd: toUsd(this.#price, usage, promptCache) };
        yield [...chunks.slice(0, -1), ...warnings, { ...end, usage: shown, ...cost }];
      }
    } catch (thrown) {
      if (!isOpen) throw thrown;
      const failure = failureOf(thrown);
      chars += readCharsOf(thrown);
      const isUnpaid = chars === 0 && failure !== undefined && (failure.isRefused === true || UNPAID.has(failure.kind));
      const warnings = await settle(isUnpaid ? NO_USAGE : known());
      if (warnings.length > 0) yield warnings;
      throw thrown;
    } finally {
      // The reader stopped before the end.
      if (isOpen) await settle(known());
    }
  }

  /** The most that a call may take: the whole prompt may be written into the provider's cache. */
  #worst(inputTokens: number, outputTokens: number, { promptCache }: Prompt): Amount {
    const written = promptCache === "off" ? 0 : inputTokens;
    const plain = this.#amount({ inputTokens, outputTokens }, promptCache);
    const cached = this.#amount({ inputTokens, outputTokens, cacheWriteTokens: written }, promptCache);
    return { ...plain, usd: Math.max(plain.usd, cached.usd) };
  }

  #amount(usage: Usage, promptCache: Prompt["promptCache"]): Amount {
    const usd = this.#price === undefined ? 0 : toUsd(this.#price, usage, promptCache);
    return { tokens: usage.inputTokens + usage.outputTokens, usd };
  }

  #estimateWarnings(reported: Usage, { run }: Prompt): readonly Chunk[] {
    const { name } = this.#inner;
    if (isReported(reported) || isBuiltinModel(name) || !this.#options.isNews(`${run} ${name} usage`)) return [];
    return [toWarning(`${name} did not report how many tokens it used, so tokens and cost are estimated`)];
  }

  #priceWarnings(accounts: readonly Account[], { run }: Prompt): readonly Chunk[] {
    const { name } = this.#inner;
    const cap = accounts.flatMap(({ caps }) => caps).find(({ measure }) => measure === "usd");
    if (this.#price !== undefined || cap === undefined || !this.#options.isNews(`${run} ${name}`)) return [];
    const remedy = "set input_token_price_per_million and output_token_price_per_million under cost_limits";
    return [
      toWarning(
        `the price of ${name} is not known, so ${cap.name} cannot be enforced, only limits in tokens; ${remedy}`,
      ),
    ];
  }
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };
const MAX_TOKENS_PER_CALL = "max_tokens_per_call";

const toWarning = (text: string): Chunk => ({ type: "warning", text });

const isReported = ({ inputTokens, outputTokens }: Usage): boolean => inputTokens + outputTokens > 0;

function toNoOutput(value: number): BatonError {
  const limit = { name: MAX_TOKENS_PER_CALL, value };
  return new BatonError("limit", `${MAX_TOKENS_PER_CALL} is ${value}, so a call cannot write anything`, { limit });
}

/** The number of characters that the model wrote in a chunk; 0 for warnings and other chunks without content. */
function toChars(chunk: Chunk): number {
  if (chunk.type === "text" || chunk.type === "reasoning") return chunk.text.length;
  return chunk.type === "call" ? chunk.tool.length + chunk.args.length : 0;
}
