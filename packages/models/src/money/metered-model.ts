/**
 * Metered model: the model of an agent, within the limits of run, agent and crew.
 *
 * A call that does not fit is made by the backup if that one fits, else refused with code `limit`. The prices an
 * agent names are those of its first model; its backup costs what the table says.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import type { Caller } from "./accounts.ts";
import { streamBackup, takeOver, withBackup } from "../wrappers/backup.ts";
import { Meter, type MeterOptions } from "./meter.ts";
import { type Price, priceOf } from "./prices.ts";
import { isBuiltinModel } from "../choice/builtin-models.ts";

/** The models of an agent. */
export interface ModelPair {
  readonly primary: Model;
  readonly backup?: Model | undefined;
}

/** The agent's model; it makes no call without the money for its worst case. */
export function withLedger({ primary, backup }: ModelPair, options: MeterOptions): Model {
  const first = new Meter(primary, toPrice(primary.name, options), options);
  if (backup === undefined) return first.model;
  const second = new Meter(backup, priceOf(backup.name), options);
  const unmetered = withBackup(primary, second.model);
  return {
    ...unmetered,
    stream: (prompt, scope) =>
      first.counts(prompt) ? streamPair([first, second], prompt, scope) : unmetered.stream(prompt, scope),
  };
}

async function* streamPair(
  [first, second]: readonly [Meter, Meter],
  prompt: Prompt,
  scope: Scope,
): AsyncGenerator<readonly Chunk[]> {
  if (prompt.isBackup === true) {
    yield* streamBackup(second.model, prompt, scope);
    return;
  }
  const held = yield* first.reserve(prompt, scope);
  if (!(held instanceof BatonError)) {
    yield* withBackup(first.with(held), second.model).stream(prompt, scope);
    return;
  }
  const other = yield* second.reserve(prompt, scope);
  if (other instanceof BatonError) throw held;
  yield takeOver(second.model, held.message);
  yield* streamBackup(second.with(other), prompt, scope);
}

function toPrice(model: string, { agent }: Caller): Price | undefined {
  const table = priceOf(model);
  const { inputTokenPricePerMillion: ownInput, outputTokenPricePerMillion: ownOutput } = agent.costLimits ?? {};
  if (isBuiltinModel(model) || (ownInput ?? ownOutput) === undefined) return table;
  const input = ownInput ?? table?.input;
  const output = ownOutput ?? table?.output;
  return input === undefined || output === undefined ? undefined : { input, output };
}
