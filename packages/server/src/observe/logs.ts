/**
 * Logs: what happened at the server, one JSON object a line, with the ids of request, run and session.
 *
 * Every text passes the redactor before it is written as JSON, so that no escape can hide a key or break a line; what
 * people or models said is never logged. Writing never throws.
 */
import type { RunEvent } from "@baton/core";
import { pino } from "pino";
import { type LineLevel, type LogFields, lineLevelOf, logLineOf } from "./log-line.ts";
import type { ObservedRun } from "./open-runs.ts";
import type { AnsweredRequest } from "./server-metrics.ts";

export type LogLevel = "silent" | LineLevel;

type Write = (message: string, fields?: LogFields) => void;

/** Writes lines. */
export interface Logger extends Readonly<Record<LineLevel, Write>> {
  /** Whether lines of this level are written. */
  isOn(level: LineLevel): boolean;
  level(): LogLevel;
  /** Writes lines of this level and above from now on. */
  setLevel(level: LogLevel): void;
}

/** The sink and the level of log lines. */
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
  const toClean = (fields: LogFields) => {
    const clean: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) clean[name] = typeof value === "string" ? toText(value) : value;
    }
    return clean;
  };
  const write =
    (level: LineLevel): Write =>
    (message, fields = {}) => {
      if (lines.isLevelEnabled(level)) swallow(() => lines[level](toClean(fields), toText(message)));
    };
  const isOn = (level: LineLevel) => lines.isLevelEnabled(level);
  let current = logLevel;
  return {
    error: write("error"),
    warn: write("warn"),
    info: write("info"),
    debug: write("debug"),
    isOn,
    level: () => current,
    setLevel(level) {
      current = level;
      lines.level = level;
    },
  };
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

/** Logs an event of a run; builds nothing if its level is off. */
export function logEvent(
  logger: Pick<Logger, LineLevel | "isOn">,
  event: RunEvent,
  run: ObservedRun | undefined,
): void {
  const level = lineLevelOf(event);
  if (level === undefined || !logger.isOn(level)) return;
  const { message, fields } = logLineOf(event, run);
  logger[level](message, fields);
}

/** A log that cannot be written must not stop what it tells of. */
function swallow(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
}
