/**
 * Secrets: the secrets in settings and the environment, which no run and no log line shows.
 */
import type { Environment } from "@baton/models";

const HIDDEN = "***";
const SECRET_NAME = /(?:^|_)(?:API_KEY|TOKEN|SECRET|PASSWORD)$/;
/** Shorter values may be ordinary words, which would be removed from logs. */
const MIN_CHARS = 8;
/** Query parameters of a database URL that hold passwords. */
const PARAMETERS = ["password", "sslpassword"] as const;

/** Returns the URL of a database without its passwords. */
export function hidePassword(url: string): string {
  if (!URL.canParse(url)) return HIDDEN;
  const shown = new URL(url);
  if (shown.password !== "") shown.password = HIDDEN;
  for (const name of PARAMETERS) if (shown.searchParams.has(name)) shown.searchParams.set(name, HIDDEN);
  return shown.href;
}

/** Finds the secrets: the values of variables such as `…_API_KEY`, and passwords in URLs. */
export function findSecrets(env: Environment, urls: readonly (string | undefined)[]): readonly string[] {
  const named = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= MIN_CHARS ? [value] : [],
  );
  const passwords = urls.flatMap((url) => (url === undefined ? [] : passwordsOf(url)));
  return [...named, ...passwords].filter((secret) => secret !== "");
}

function passwordsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url];
  const { password, searchParams } = new URL(url);
  const found = [password, decode(password), ...PARAMETERS.map((name) => searchParams.get(name) ?? "")];
  return found.some((secret) => secret !== "") ? [url, ...found] : [];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
