/**
 * Logs: what happened at the server, one JSON object a line, with the ids of request, run and session.
 *
 * Every text passes the redactor before it is written as JSON, so that no escape can hide a key or break a line; what
 * people or models said is never logged. Writing never throws.
 */
import type { RunEvent } from "@baton/core";
import { pino } from "pino";
import { type OpenRun, secondsSince } from "./open-runs.ts";
import type { AnsweredRequest } from "./server-metrics.ts";

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** What a line says beside its message. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

type Write = (message: string, fields?: LogFields) => void;

/** Writes lines. */
export type Logger = Readonly<Record<Exclude<LogLevel, "silent">, Write>>;

/** Where and what to log. */
export interface LogOptions {
  readonly logLevel?: LogLevel;
  /** Default: standard error. */
  readonly logTo?: { write(line: string): unknown };
  /** Takes keys out of a text. */
  readonly redact: (text: string) => string;
}

const MAX_CHARS = 2_000;

/** Builds a logger. */
export function defineLogger({ logLevel = "info", logTo = process.stderr, redact }: LogOptions): Logger {
  const lines = pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    logTo,
  );
  const toText = (text: string) => redact(text).slice(0, MAX_CHARS);
  const toClean = (fields: LogFields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? toText(value) : value]),
    );
  const write =
    (level: keyof Logger): Write =>
    (message, fields = {}) => {
      if (lines.isLevelEnabled(level)) swallow(() => lines[level](toClean(fields), toText(message)));
    };
  return { error: write("error"), warn: write("warn"), info: write("info"), debug: write("debug") };
}

/** Probes would drown everything else. */
const PROBES: readonly (string | undefined)[] = ["/health", "/ready", "/metrics"];

/** Logs a request that was answered. */
export function logRequest(logger: Logger, { requestId, route, durationMs, ...request }: AnsweredRequest): void {
  const { method, status, run, session } = request;
  const fields = {
    request: requestId,
    method,
    route: route ?? "other",
    status,
    ms: toRounded(durationMs),
    run,
    session,
  };
  if (status >= 500) logger.error("request", fields);
  else if (PROBES.includes(route)) logger.debug("request", fields);
  else logger.info("request", fields);
}

/** Microseconds are as fine as is worth reading. */
function toRounded(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000;
}

/** Logs what an event says of its run as a whole. */
export function logEvent(logger: Logger, event: RunEvent, run: OpenRun | undefined): void {
  switch (event.type) {
    case "run.started":
      return logger.info("run started", idsOf(event, run));
    case "run.resumed":
      return logger.info("run resumed", { ...idsOf(event, run), agent: event.agent });
    case "run.paused":
      return logger.info("run paused", { ...lifeOf(event, run), by: event.by, agent: event.agent });
    case "run.ended": {
      const { outcome, by, agent, error } = event;
      const fields = { ...lifeOf(event, run), outcome, by, agent, code: error?.code, error: error?.message };
      return outcome === "failed" ? logger.error("run ended", fields) : logger.info("run ended", fields);
    }
    case "warning.raised":
      return logger.warn(event.text, { ...idsOf(event, run), agent: event.agent, of: event.of });
    default:
      return;
  }
}

function idsOf(event: RunEvent, run: OpenRun | undefined): LogFields {
  const { requestId, session, crew } = run?.origin ?? {};
  return { request: requestId, run: event.run, session, crew };
}

function lifeOf(event: RunEvent, run: OpenRun | undefined): LogFields {
  const ms = run === undefined ? undefined : Math.round(secondsSince(run, "", event.at) * 1_000);
  return { ...idsOf(event, run), ms };
}

/** A log that cannot be written must not stop what it tells of. */
function swallow(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
}
