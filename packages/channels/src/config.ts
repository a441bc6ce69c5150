/**
 * Config: the channels of `baton.config.yaml`, checked, with their secrets from the environment.
 *
 * Secrets are named by variables and never written in the file; an error names the variable and never its value.
 */
import { BatonError } from "@baton/core";
import { z } from "zod";

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const TELEGRAM_SECRET = /^[A-Za-z0-9_-]{1,256}$/;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const VARIABLE_NAME = z.string().regex(VARIABLE, "must be the name of an environment variable, not the secret itself");
const URL_TEXT = z.string().refine(isSafeUrl, "must begin with https:// (http:// only on loopback)");
const COMMON = {
  name: z.string().regex(NAME, "must be a-z, 0-9 and -, begin with a letter and have at most 32 characters").optional(),
};
const BOT = z.strictObject({
  ...COMMON,
  type: z.enum(["telegram", "zalo"]),
  token_env: VARIABLE_NAME,
  crew: z.string().optional(),
  mode: z.enum(["poll", "webhook"]).default("poll"),
  secret_env: VARIABLE_NAME.optional(),
  public_url: URL_TEXT.optional(),
  access: z.enum(["linked", "open"]).default("linked"),
  allow: z.array(z.union([z.string(), z.int()]).transform(String)).default([]),
  tenant: z.string().min(1).default("local"),
  groups: z.enum(["mention", "off"]).default("mention"),
  api_url: URL_TEXT.optional(),
});
const WEBHOOK = z.strictObject({
  ...COMMON,
  type: z.literal("webhook"),
  url: URL_TEXT,
  secret_env: VARIABLE_NAME,
  tenant: z.string().min(1).default("local"),
  events: z
    .array(z.enum(["paused", "ended", "scheduled"]))
    .min(1)
    .default(["paused", "ended"]),
});

/** The schema of the setting `channels`. */
export const CHANNELS_SETTING = z.array(z.discriminatedUnion("type", [BOT, WEBHOOK])).max(32);

/** A bot on a platform. */
export interface BotConfig extends Omit<z.output<typeof BOT>, "name" | "token_env" | "secret_env" | "api_url"> {
  readonly name: string;
  readonly token: string;
  /** Of a webhook. */
  readonly secret: string | undefined;
  readonly apiUrl: string;
}

/** A signed webhook. */
export interface WebhookConfig extends Omit<z.output<typeof WEBHOOK>, "name" | "secret_env"> {
  readonly name: string;
  readonly secret: Buffer;
}

/** One channel. */
export type ChannelConfig = BotConfig | WebhookConfig;

type Environment = Readonly<Record<string, string | undefined>>;

const API_URLS = { telegram: "https://api.telegram.org", zalo: "https://bot-api.zaloplatforms.com" } as const;
const API_VARIABLES = { telegram: "BATON_TELEGRAM_API_URL", zalo: "BATON_ZALO_API_URL" } as const;

/** Reads the setting `channels`. Throws `invalid`, and names no secret. */
export function readChannels(value: unknown, environment: Environment): readonly ChannelConfig[] {
  const parsed = CHANNELS_SETTING.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `channels.${path.map(String).join(".")} ${message}`,
    );
    throw invalid(problems.join("; "));
  }
  const channels = parsed.data.map((one) =>
    one.type === "webhook" ? toWebhook(one, environment) : toBot(one, environment),
  );
  const names = channels.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw invalid(`two channels are called ${twice}: give each its own \`name\``);
  return channels;
}

/** The texts that must not appear in logs. */
export function secretsOf(channels: readonly ChannelConfig[]): readonly string[] {
  return channels
    .flatMap((one) => (one.type === "webhook" ? [one.secret.toString("base64")] : [one.token, one.secret ?? ""]))
    .filter((text) => text !== "");
}

function toBot(read: z.output<typeof BOT>, environment: Environment): BotConfig {
  const { token_env, secret_env, api_url, name = read.type, ...rest } = read;
  const apiUrl = api_url ?? environment[API_VARIABLES[read.type]] ?? API_URLS[read.type];
  if (!isSafeUrl(apiUrl)) throw invalid(`the address in ${API_VARIABLES[read.type]} must begin with https://`);
  if (read.mode === "webhook" && (secret_env === undefined || read.public_url === undefined))
    throw invalid(`channel ${name}: mode webhook needs secret_env and public_url`);
  const secret = secret_env === undefined ? undefined : readVariable(secret_env, environment, name);
  if (secret !== undefined && !isSecret(read.type, secret))
    throw invalid(`channel ${name}: the secret in ${secret_env} must be ${SECRET_RULES[read.type]}`);
  const token = readVariable(token_env, environment, name);
  return { ...rest, name, token, secret, apiUrl: apiUrl.replace(/\/$/, "") };
}

const SECRET_RULES = { telegram: "1 to 256 of A-Z, a-z, 0-9, _ and -", zalo: "8 to 256 characters" } as const;

function isSecret(type: "telegram" | "zalo", secret: string): boolean {
  return type === "telegram" ? TELEGRAM_SECRET.test(secret) : secret.length >= 8 && secret.length <= 256;
}

const PREFIX = "whsec_";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function toWebhook(read: z.output<typeof WEBHOOK>, environment: Environment): WebhookConfig {
  const { secret_env, name = read.type, ...rest } = read;
  const text = readVariable(secret_env, environment, name);
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "";
  if (!BASE64.test(encoded)) throw invalid(`channel ${name}: the secret in ${secret_env} must be ${PREFIX} and base64`);
  return { ...rest, name, secret: Buffer.from(encoded, "base64") };
}

function readVariable(variable: string, environment: Environment, name: string): string {
  const value = environment[variable]?.trim() ?? "";
  if (value === "") throw invalid(`channel ${name}: the environment variable ${variable} is not set`);
  return value;
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
}

function invalid(message: string): BatonError {
  return new BatonError("invalid", message);
}
