/**
 * Observer: metrics, traces and logs of one server, from the events of its runs and the ends of its requests.
 *
 * Watches and never interferes: nothing here throws or waits, and what it holds is bounded. It receives events
 * synchronously, after they are committed.
 */
import type { RunEvent } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { TracerProvider } from "@opentelemetry/api";
import { defineRedact } from "../secrets/redact.ts";
import type { ServedCrew, ServerOptions } from "../options.ts";
import { RecoveredRunBuffer, type ReadLog } from "./recovered-run-buffer.ts";
import { defineLogger, logEvent, type Logger, logRequest } from "./logs.ts";
import { Metrics, type MetricsJson } from "./metrics.ts";
import { type ObservedRun, OpenRuns, type RunOrigin } from "./open-runs.ts";
import type { AnsweredRequest, Readings } from "./server-metrics.ts";
import { Traces } from "./spans/traces.ts";

/** Options of an observer. */
export interface ObserverOptions extends Pick<
  ServerOptions,
  "logLevel" | "logTo" | "secrets" | "breakers" | "metrics"
> {
  readonly crews: readonly Pick<ServedCrew, "crew">[];
  /** Makes spans of the runs; the runs of an engine have theirs already. */
  readonly tracerProvider?: TracerProvider;
  /** For runs that began elsewhere; without it their events do not say where they come from. */
  readonly readLog?: ReadLog;
}

/** Watches one server. */
export interface Observing {
  /** Says where a run comes from, before it is started or resumed: its request, and of a resumed one its crew. */
  link(run: string, origin: RunOrigin): void;
  /** Sees a committed event. */
  observe(event: RunEvent): void;
  /** Sees that the tool of a call has begun, at that time of the log's clock. */
  began(run: string, call: string, at: number): void;
  /** Sees the end of a request. */
  request(request: AnsweredRequest): void;
  /** Sees that a user has rated a run. */
  feedback(rating: "up" | "down"): void;
  /** Shows what other parts count, once they are there. */
  read(readings: Readings): void;
  metricsText(): Promise<string>;
  metricsJson(): Promise<MetricsJson>;
  readonly logger: Logger;
  /** Ends open spans and stops measuring. */
  close(): void;
}

/** Builds what watches a server. */
export function createObserver(options: ObserverOptions): Observing {
  const { crews, secrets, breakers, metrics: added, tracerProvider, readLog, ...logging } = options;
  const redact = defineRedact(secrets);
  const logger = defineLogger({ ...logging, redact });
  const traces = tracerProvider && new Traces({ tracerProvider, redact });
  const runs = new OpenRuns((run) => traces?.forget(run));
  const metrics = new Metrics({
    crews: crews.map(({ crew }) => crew),
    activeRuns: () => runs.size,
    underWay: () => runs.underWay,
    breakers,
    added,
  });
  const fail = (thrown: unknown) => logger.error("the observer failed", { error: toMessage(thrown) });
  const parts: readonly ((event: RunEvent, run: ObservedRun | undefined) => void)[] = [
    (event, run) => metrics.observe(event, run),
    (event, run) => traces?.observe(event, run),
    (event, run) => logEvent(logger, event, run),
  ];
  const tell = (event: RunEvent) => {
    const run = runs.enter(event);
    for (const part of parts) attempt(() => part(event, run), fail);
    runs.leave(event);
  };
  const introductions = readLog && new RecoveredRunBuffer({ runs, readLog, tell });
  return {
    link: (run, origin) => runs.link(run, origin),
    observe: (event) => (introductions === undefined ? tell(event) : introductions.take(event)),
    began(run, call, at) {
      const begun = runs.ran(run, call, at);
      if (begun !== undefined) metrics.wait({ ...begun, ranAt: at });
    },
    request(request) {
      try {
        metrics.server.request(request);
        logRequest(logger, request);
      } catch (thrown) {
        fail(thrown);
      }
    },
    feedback: (rating) => metrics.server.feedback(rating),
    read: (readings) => metrics.read(readings),
    metricsText: () => metrics.toText(),
    metricsJson: () => metrics.toJson(),
    logger,
    close() {
      introductions?.close();
      metrics.server.close();
      attempt(() => traces?.close(), fail);
    },
  };
}

/** Nothing that watches may throw. */
function attempt(work: () => void, fail: (thrown: unknown) => void): void {
  try {
    work();
  } catch (thrown) {
    fail(thrown);
  }
}
