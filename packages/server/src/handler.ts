/**
 * Handler: a server in the same process: a `Request` in, a `Response` out, and no port.
 */
import { BatonError } from "@baton/core";
import type { Identify } from "./gateway/caller.ts";
import { answerRequest } from "./gateway/web-exchange.ts";
import { openServer } from "./opened-server.ts";
import type { RunningServer, ServerOptions } from "./options.ts";

/** Options of a handler. */
export interface HandlerOptions extends Omit<ServerOptions, "host" | "port"> {
  /** Taken off the path of every request and put before links: `/agents`. */
  readonly basePath?: string;
  /** The program's own login. Default: API keys, and without any only requests to a loopback host are answered. */
  readonly identify?: Identify;
}

/** A server that answers requests of the same process. */
export interface RunningHandler extends Pick<RunningServer, "replaceCrews" | "stop"> {
  readonly fetch: (request: Request) => Promise<Response>;
}

const BASE_PATH = /^(?:\/[^/?#]+)+$/;

/** Opens a handler. */
export async function openHandler({ basePath, identify, ...asked }: HandlerOptions): Promise<RunningHandler> {
  if (basePath !== undefined && !BASE_PATH.test(basePath))
    throw new BatonError("invalid", "`basePath` must begin with a slash and not end with one, such as /agents");
  if (basePath !== undefined && asked.console !== undefined)
    throw new BatonError("invalid", "the console cannot be served below a `basePath`; leave one of them out");
  await using parts = new AsyncDisposableStack();
  const opened = await openServer(asked, parts, { bound: undefined, identify, basePath });
  opened.endWith(parts);
  await opened.begin();
  const running = parts.move();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    opened.stopping();
    return running.disposeAsync();
  };
  return {
    fetch: (request) => answerRequest(opened.app, request, { report: opened.report }),
    replaceCrews: opened.replaceCrews,
    stop: () => (stopping ??= stop()),
  };
}
