/**
 * Open channels: the chat channels of the settings, for a server; their package is loaded only if there are any.
 */
import { importNeeded } from "@baton/baton/optional";
import type { ServerOptions } from "@baton/server";
import type { ServerConfig } from "./settings.ts";

/** The parts of channels that a server mounts, and the texts that must not be logged. */
export interface OpenedChannels extends Required<Pick<ServerOptions, "routes" | "services" | "metrics" | "secrets">> {}

type Settings = Pick<ServerConfig, "channels" | "telegram" | "zalo">;

/** The setting `channels`, with what `--telegram` and `--zalo` add. */
export function listChannels({ channels = [], telegram, zalo }: Settings): readonly object[] {
  const flags = [
    ...(telegram === undefined ? [] : [{ type: "telegram", token_env: telegram }]),
    ...(zalo === undefined ? [] : [{ type: "zalo", token_env: zalo }]),
  ];
  return [...flags, ...channels];
}

/** Loads the package of channels. */
export function importChannels() {
  return importNeeded({ name: "@baton/channels", needs: "a chat channel" }, () => import("@baton/channels"));
}

/** The channels; undefined if the settings have none. */
export async function openChannels(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenedChannels | undefined> {
  const setting = listChannels(settings);
  if (setting.length === 0) return undefined;
  const { defineChannels, readChannels, secretsOf } = await importChannels();
  const channels = readChannels(setting, environment);
  const { routes, service, metrics } = defineChannels({ channels });
  return { routes, services: [service], metrics: new Map([["channels", metrics]]), secrets: secretsOf(channels) };
}
