/**
 * Limits: every setting of a crew, with its name in YAML, its default, and what it means.
 *
 * One table: types, defaults, strict mode's list of what is missing and the documentation come from it.
 * Times are milliseconds here and seconds in YAML where `scale` says so.
 * Reads: nothing. Read by: crew, the verbs, crewfile.
 */

interface Setting {
  readonly yaml: string;
  /** In the unit of this table, not of YAML. */
  readonly value: number;
  readonly meaning: string;
  /** YAML's unit in this table's: 1,000 where YAML counts seconds. */
  readonly scale?: number;
}

/** Every numeric setting. */
export const SETTINGS = {
  maxHandoffs: { yaml: "max_handoffs", value: 5, meaning: "the handoff that reaches this count is not made" },
  maxSteps: { yaml: "max_rounds", value: 10, meaning: "model calls of one agent's stay" },
  timeoutMs: {
    yaml: "timeout_seconds",
    value: 300_000,
    scale: 1_000,
    meaning: "the whole run, since the user's last message",
  },
  groupTimeoutMs: {
    yaml: "parallel_timeout_seconds",
    value: 60_000,
    scale: 1_000,
    meaning: "a parallel group that names no timeout",
  },
  toolTimeoutMs: { yaml: "tool_execution_timeout_seconds", value: 5_000, scale: 1_000, meaning: "one tool call" },
  toolSequenceTimeoutMs: {
    yaml: "tool_result_timeout_seconds",
    value: 30_000,
    scale: 1_000,
    meaning: "all tool calls of one reply",
  },
  retryMinMs: { yaml: "retry_backoff_min_millis", value: 100, meaning: "the first wait before another try" },
  retryMaxMs: {
    yaml: "retry_backoff_max_seconds",
    value: 5_000,
    scale: 1_000,
    meaning: "the longest wait before another try",
  },
  sseKeepAliveMs: {
    yaml: "sse_keep_alive_seconds",
    value: 30_000,
    scale: 1_000,
    meaning: "silence on a stream before a ping",
  },
  maxInputBytes: { yaml: "max_input_size_kb", value: 40 * 1_024, scale: 1_024, meaning: "the user's message" },
  maxBodyBytes: { yaml: "max_request_body_size_kb", value: 8_192 * 1_024, scale: 1_024, meaning: "a request's body" },
  maxOutputChars: { yaml: "max_tool_output_chars", value: 2_000, meaning: "what a model reads of one tool's output" },
  maxTotalOutputChars: {
    yaml: "max_total_tool_output_chars",
    value: 4_000,
    meaning: "what a model reads of one reply's tool outputs",
  },
  streamBuffer: { yaml: "stream_buffer_size", value: 100, meaning: "events a write to a stream" },
  maxStoredRuns: { yaml: "max_stored_requests", value: 1_000, meaning: "ended runs kept in memory" },
  timeoutWarningPct: {
    yaml: "timeout_warning_threshold_pct",
    value: 20,
    meaning: "share of a reply's tool time left when a warning is raised",
  },
  maxContextTokens: { yaml: "max_context_window", value: 32_000, meaning: "tokens of history a model is given" },
  contextTrimPct: {
    yaml: "context_trim_percent",
    value: 20,
    meaning: "share of the window freed when the history outgrows it",
  },
  maxTokensPerCall: { yaml: "max_tokens_per_call", value: 4_000, meaning: "tokens one model call may use" },
  maxTokensPerDay: { yaml: "max_tokens_per_day", value: 100_000, meaning: "tokens the crew may use a day" },
  maxCostPerDayUsd: { yaml: "max_cost_per_day", value: 50, meaning: "US dollars the crew may spend a day" },
  costAlertThreshold: {
    yaml: "cost_alert_threshold",
    value: 0.8,
    meaning: "share of a money or token cap at which a warning is raised",
  },
  maxCallsPerMinute: { yaml: "max_calls_per_minute", value: 60, meaning: "model calls a minute" },
  maxCallsPerHour: { yaml: "max_calls_per_hour", value: 1_000, meaning: "model calls an hour" },
  maxCallsPerDay: { yaml: "max_calls_per_day", value: 10_000, meaning: "model calls a day" },
  maxConsecutiveErrors: { yaml: "max_consecutive_errors", value: 5, meaning: "model errors in a row" },
  maxErrorsPerHour: { yaml: "max_errors_per_hour", value: 10, meaning: "model errors an hour" },
  maxErrorsPerDay: { yaml: "max_errors_per_day", value: 50, meaning: "model errors a day" },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The names of all numeric settings. */
export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName);

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** The settings of a crew; every one is there. */
export type Settings = { readonly [Name in SettingName]: number } & {
  readonly language: string;
  readonly blockOnQuotaExceed: boolean;
};

/** What every setting is where a crew says nothing. */
export const DEFAULT_SETTINGS: Settings = Object.freeze({
  ...valuesOf(SETTINGS),
  language: "en",
  blockOnQuotaExceed: true,
});

/** Every setting: those given, the others by default. */
export function fillSettings(given: Partial<Settings> = {}): Settings {
  return { ...DEFAULT_SETTINGS, ...given };
}

function valuesOf(table: typeof SETTINGS): { readonly [Name in SettingName]: number };
function valuesOf(table: Readonly<Record<string, Setting>>): Record<string, number> {
  return Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.value]));
}
