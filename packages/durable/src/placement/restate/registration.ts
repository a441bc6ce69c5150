/**
 * Registration: tells Restate where workers are, again and again: Restate may start later, or begin again with nothing.
 *
 * All workers share one URL, that of what stands before them. Registering it once more changes nothing.
 */
import type { Scope } from "@baton/core/ports";
import { post, withoutSlash } from "./ingress.ts";
import { VERSION } from "./services.ts";

/** Pause after a failed registration, and the interval of repeated ones. */
const RETRY_MS = 250;
const REPEAT_MS = 30_000;

interface Options {
  /** The admin API of Restate. */
  readonly admin: string;
  /** Where Restate reaches the workers. */
  readonly url: string;
  /** Called at the first success. */
  readonly registered: () => void;
  /** Called when it fails for another reason than before. */
  readonly failed: (problem: string) => void;
}

/** Keeps the workers registered until the scope ends. */
export async function keepRegistered(scope: Scope, { admin, url, registered, failed }: Options): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ uri: `${withoutSlash(url)}/${VERSION}`, force: false });
  let last: string | undefined;
  while (scope.live) {
    const problem = await post(scope, `${withoutSlash(admin)}/deployments`, { headers, body });
    if (problem === undefined) registered();
    else if (problem !== last && scope.live) failed(problem);
    last = problem;
    await scope.sleep(problem === undefined ? REPEAT_MS : RETRY_MS).catch(() => undefined);
  }
}
