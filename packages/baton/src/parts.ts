/**
 * Parts: the one place that chooses crews, models, store, placement, shared services and secrets, for an application and
 * for the command.
 *
 * Whatever is wrong is thrown before the store is created. Disposing closes everything, in reverse order.
 */
import { omitUndefined } from "@baton/core/util";
import type { ToolThreads } from "@baton/durable/threads";
import type { Environment } from "@baton/models";
import type { ServerOptions } from "@baton/server";
import type { TelemetryOptions } from "@baton/server/telemetry";
import type { Store } from "@baton/store";
import type { KnownCrew } from "./known-crews.ts";
import { ModelChoice, type ModelChoiceOptions } from "./model-choice.ts";
import type { PlacementChoice } from "./placement-choice.ts";
import { findSecrets } from "./secrets.ts";
import type { ServiceChoice } from "./shared-services.ts";
import { folderWarningOf, openDatabase, openStore, type StoreChoice } from "./store-choice.ts";
import { openUserPlans, type UserPlans } from "./user-plans.ts";

/** Everything that the choice depends on. */
export interface PartsOptions<Known extends KnownCrew> {
  readonly env: Environment;
  readonly store: StoreChoice;
  /** Threads for tools, which are closed with the parts. */
  readonly threads: ToolThreads;
  /** Reads the crews; their code may read what `env` holds. */
  readonly readCrews: (threads: ToolThreads) => Promise<readonly Known[]>;
  readonly models: Omit<ModelChoiceOptions, "env">;
  readonly services?: ServiceChoice;
  /** Limits on model calls of one user and one tenant, by the plan of the key. */
  readonly plans?: UserPlans;
  /** Where spans and metrics are sent, beside what the variables of OpenTelemetry say. */
  readonly telemetry?: TelemetryOptions | undefined;
  /** Without it, this process executes its runs. */
  readonly placement?: PlacementChoice;
  /** Names a setting in errors. */
  readonly nameOf: (setting: "postgres" | "embeddings") => string;
  /** Called with what the user should know. */
  readonly warn: (text: string) => void;
}

/** The parts of an engine or a server. */
export interface BatonParts<Known extends KnownCrew = KnownCrew> extends AsyncDisposable {
  readonly crews: readonly Known[];
  readonly models: ModelChoice;
  readonly store: Store;
  readonly secrets: readonly string[];
  readonly threads: ToolThreads;
  /** Fields of a server that are only there if they were chosen. */
  readonly shared: Pick<ServerOptions, "placement" | "countRequest" | "telemetry">;
}

/** Opens the parts. */
export async function openParts<Known extends KnownCrew>(options: PartsOptions<Known>): Promise<BatonParts<Known>> {
  const { env, store: choice, services = {}, warn, nameOf } = options;
  await using opened = new AsyncDisposableStack();
  const telemetry = await sendTelemetry(options);
  if (telemetry !== undefined) opened.use(telemetry);
  const { openSharedServices } = await import("./shared-services.ts");
  const { layer, countRequest } = opened.use(await openSharedServices(services, { env, warn, nameOf }));
  const threads = opened.use(options.threads);
  const crews = await options.readCrews(threads);
  const sources = crews.map(({ source }) => source);
  const models = await ModelChoice.open(sources, { ...options.models, env });
  const store = opened.use(await openStore(layer(await openDatabase(choice, nameOf("postgres")))));
  const folderWarning = folderWarningOf(choice);
  if (folderWarning !== undefined) warn(folderWarning);
  models.spendIn(store.database.ledger);
  models.limitUsers(openUserPlans(store, options.plans ?? {}));
  const placement = await placeRuns(options, store);
  if (placement !== undefined) opened.use(placement);
  const secrets = findSecrets(env, [choice.postgres, services.redis, services.qdrant]);
  const shared = omitUndefined({ placement: placement?.placement, countRequest, telemetry });
  const owned = opened.move();
  return { crews, models, store, secrets, threads, shared, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function sendTelemetry({
  env,
  telemetry = {},
  warn,
}: Pick<PartsOptions<KnownCrew>, "env" | "telemetry" | "warn">) {
  const { openTelemetry, readTelemetrySettings } = await import("@baton/server/telemetry");
  const settings = readTelemetrySettings(telemetry, env);
  return settings === undefined ? undefined : openTelemetry(settings, { warn });
}

async function placeRuns({ placement, warn }: Pick<PartsOptions<KnownCrew>, "placement" | "warn">, { clock }: Store) {
  if (placement === undefined) return undefined;
  const { openPlacement } = await import("./placement-choice.ts");
  return openPlacement(placement, { clock, warn });
}
