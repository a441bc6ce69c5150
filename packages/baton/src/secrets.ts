/**
 * Secrets: values of the environment that no run and no log line shows.
 */
import type { Environment } from "@baton/models";

const SECRET_NAME = /(?:^|_)(?:API_KEY|TOKEN|SECRET|PASSWORD)$/;
/** A shorter value is also found in ordinary text. */
const MIN_SECRET = 8;

/** The values of variables whose names say that they are secret. */
export function toSecrets(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= MIN_SECRET ? [value] : [],
  );
}
