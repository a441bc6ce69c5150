/**
 * Server: crews over HTTP, on a port, from the first request to the last.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { createHttpServer } from "./gateway/http-server.ts";
import { trackSilent } from "./gateway/silent-connections.ts";
import { openServer } from "./opened-server.ts";
import type { RunningServer, ServerOptions } from "./options.ts";

const HOST = "127.0.0.1";
const PORT = 8_080;
/** Time for complete answers to leave. */
const CLOSING_MS = 1_000;
const CLOSING_TICK_MS = 20;
/** Time for the first request of a new connection. */
const SILENT_MS = 100;

/** Starts a server; resolves when it accepts requests. */
export async function startServer(asked: ServerOptions): Promise<RunningServer> {
  const { store, host = HOST } = asked;
  // Parts end in reverse order: when the server stops, or if it cannot start.
  await using parts = new AsyncDisposableStack();
  const opened = await openServer(asked, parts, { bound: host });
  const { observer, report } = opened;
  const http = createHttpServer(opened.app, { report, acceptSocket: opened.acceptSocket });
  parts.defer(toClosing(http, store.clock));
  opened.endWith(parts);
  // A server that cannot have its port must not have touched a run.
  const port = await listen(http, host, asked.port ?? PORT);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  await opened.begin();
  observer.logger.info("listening", { url });
  const running = parts.move();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    opened.stopping();
    return running.disposeAsync();
  };
  return {
    url,
    host,
    port,
    report: (error) => report(error, { by: "nothing caught it: it most likely comes from a tool" }),
    warn: (text) => observer.logger.warn(text),
    replaceCrews: opened.replaceCrews,
    stop: () => (stopping ??= stop()),
  };
}

async function listen(http: Server, host: string, port: number): Promise<number> {
  http.listen(port, host);
  await once(http, "listening");
  const address = http.address();
  if (typeof address === "object" && address !== null) return address.port;
  throw new BatonError("internal", "the server is not listening on a port");
}

/** The way to close a server: connections close when their last answer has left, and all of them after a while. */
function toClosing(http: Server, clock: Clock): () => Promise<void> {
  const closeSilent = trackSilent(http);
  return async () => {
    const closed = once(http, "close");
    http.close();
    let timer = clock.after(0, tend);
    const beganAt = clock.monotonic();
    await closed;
    timer.cancel();

    function tend(): void {
      const waitedMs = clock.monotonic() - beganAt;
      if (waitedMs >= SILENT_MS) closeSilent();
      if (waitedMs < CLOSING_MS) http.closeIdleConnections();
      else http.closeAllConnections();
      timer = clock.after(CLOSING_TICK_MS, tend);
    }
  };
}
