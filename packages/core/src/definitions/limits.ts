/**
 * Limits: every setting of a crew, with its name in YAML, its default, and what it means.
 *
 * One table: types, defaults, strict mode's list of what is missing and the documentation come from it.
 */

import { BatonError } from "../words/error.ts";
import type { Image } from "../words/message.ts";
import { toFigure } from "../words/text.ts";
import type { LevelName } from "./sandbox.ts";

/** A numeric setting; `value` is its default in the engine's unit, `scale` what one of YAML's units is in that. */
type Setting = Readonly<{ yaml: string; value: number; meaning: string; scale: number }>;

type SettingOf = (yaml: string, valueInYaml: number, meaning: string) => Setting;

const unit =
  (scale: number): SettingOf =>
  (yaml, value, meaning) => ({ yaml, value: value * scale, meaning, scale });
const plain = unit(1);
const seconds = unit(1_000);
const kilobytes = unit(1_024);

const NO_CAP = "0: no limit";
const USER_SHARE = "0: a fifth of the crew's if the server has API keys";

/** Every numeric setting, with its default as YAML writes it. */
export const SETTINGS = {
  maxHandoffs: plain("max_handoffs", 5, "the handoff that reaches this count is not made"),
  maxSteps: plain("max_rounds", 10, "model calls of one agent's turn"),
  maxRepeatedCalls: plain("max_repeated_calls", 3, "equal calls with equal results in one turn; 0: any number"),
  maxParallelCalls: plain("max_parallel_calls", 8, "tool calls of one run at once"),
  maxCallsPerReply: plain("max_calls_per_reply", 128, "tool calls of one reply that are made"),
  maxParallelAgents: plain("max_parallel_agents", 8, "agents and crews of one step or map at once"),
  maxDepth: plain("max_depth", 4, "agent tools, maps and sub-crews inside each other"),
  timeoutMs: seconds("timeout_seconds", 300, "the whole run, since the user's last message"),
  groupTimeoutMs: seconds("parallel_timeout_seconds", 60, "a parallel group that names no timeout"),
  toolTimeoutMs: seconds("tool_execution_timeout_seconds", 30, "one tool call with all its attempts"),
  toolSequenceTimeoutMs: seconds("tool_result_timeout_seconds", 120, "all tool calls of one reply"),
  retryMinMs: plain("retry_backoff_min_millis", 100, "the first wait before another try of a tool"),
  retryMaxMs: seconds("retry_backoff_max_seconds", 5, "the longest wait before another try of a tool"),
  modelAttempts: plain("model_attempts", 8, "tries of one model call"),
  modelRetryMinMs: plain("model_backoff_min_millis", 500, "the first wait before another try of a model call"),
  modelRetryMaxMs: seconds("model_backoff_max_seconds", 20, "the longest wait before another try of a model call"),
  modelIdleMs: seconds("model_idle_seconds", 60, "silence of a model's stream before a timeout"),
  sseKeepAliveMs: seconds("sse_keep_alive_seconds", 30, "silence on a stream before a ping"),
  maxInputBytes: kilobytes("max_input_size_kb", 40, "the user's message"),
  maxOutputChars: plain("max_tool_output_chars", 16_000, "what a model reads of one tool's output"),
  maxTotalOutputChars: plain("max_total_tool_output_chars", 64_000, "what a model reads of one reply's tool outputs"),
  codeMemoryMb: plain("code_memory_mb", 32, "memory of one code of `run_code`"),
  codeCpuSeconds: plain("code_cpu_seconds", 5, "CPU of one code, counted in steps of the interpreter"),
  codeTimeoutMs: seconds("code_timeout_seconds", 120, "one code between two pauses, without waiting for people"),
  maxCodeCalls: plain("max_code_calls", 1_000, "tool calls of one code"),
  maxCodeBytes: kilobytes("max_code_kb", 64, "the text of one code"),
  maxConsoleChars: plain("max_console_chars", 8_000, "the end of a code's console that is kept"),
  streamBuffer: plain("stream_buffer_size", 100, "events a write to a stream"),
  maxStoredRuns: plain("max_stored_requests", 1_000, "ended runs kept in memory"),
  timeoutWarningPct: plain("timeout_warning_threshold_pct", 20, "share of a reply's tool time left at the warning"),
  maxContextTokens: plain("max_context_window", 128_000, "tokens a model is given"),
  contextTrimPct: plain("context_trim_percent", 20, "share of the window freed when the history outgrows it"),
  maxTokensPerCall: plain("max_tokens_per_call", 8_000, "tokens of text one model call may write"),
  maxTokensPerDay: plain("max_tokens_per_day", 0, `tokens the crew may use a day; ${NO_CAP}`),
  maxCostPerDayUsd: plain("max_cost_per_day", 50, `US dollars the crew may spend a day; ${NO_CAP}`),
  costAlertThreshold: plain("cost_alert_threshold", 0.8, "share of a money or token cap at which a warning is raised"),
  maxCallsPerMinute: plain("max_calls_per_minute", 0, `model calls a minute; ${NO_CAP}`),
  maxCallsPerHour: plain("max_calls_per_hour", 0, `model calls an hour; ${NO_CAP}`),
  maxCallsPerDay: plain("max_calls_per_day", 0, `model calls a day; ${NO_CAP}`),
  maxCostPerUserPerDayUsd: plain("max_cost_per_user_per_day", 0, `US dollars one user may spend a day; ${USER_SHARE}`),
  maxTokensPerUserPerDay: plain("max_tokens_per_user_per_day", 0, `tokens one user may use a day; ${USER_SHARE}`),
  maxCallsPerUserPerMinute: plain("max_calls_per_user_per_minute", 0, `model calls of one user a minute; ${NO_CAP}`),
  maxConsecutiveErrors: plain("max_consecutive_errors", 5, `model errors in a row; ${NO_CAP}`),
  maxErrorsPerHour: plain("max_errors_per_hour", 0, `model errors an hour; ${NO_CAP}`),
  maxErrorsPerDay: plain("max_errors_per_day", 0, `model errors a day; ${NO_CAP}`),
} as const;

export type SettingName = keyof typeof SETTINGS;

/**
 * Where a tool runs: in the engine's thread, in the one worker thread of its crew's tools, or in a pool of threads with one
 * call at a time in each; or at a level that is a security boundary.
 */
export type Isolation = "inline" | "shared" | "thread" | LevelName;

/** Place in which a signal counts: anywhere but in a quotation, or only at the end of the reply or alone on its line. */
export type SignalPosition = "anywhere" | "end";

/** Reaction to a reply without the signal that its agent should have written: a warning, one question back, or none. */
export type OnMissingSignal = "warn" | "correct" | "ignore";

/** Work that the time of a tool covers: one call with all its attempts and the waits between them, or each attempt. */
export type TimeoutCovers = "call" | "attempt";

/** Time for which a provider keeps the beginning of a prompt: its usual one, the longest, or none. */
export type PromptCache = "auto" | "long" | "off";

/** The settings of a crew, all of them filled in. */
export type Settings = Readonly<
  Record<SettingName, number> & {
    language: string;
    blockOnQuotaExceed: boolean;
    /** Other agents' tool calls and results are shown to an agent, as text. */
    sharedToolResults: boolean;
    /** Of tools that do not say it themselves; `auto` is `shared` in a server and `inline` elsewhere. */
    toolIsolation: Isolation | "auto";
    /** Of tools that do not say it themselves. */
    toolTimeoutCovers: TimeoutCovers;
    /** Of agents whose behaviour does not say it. */
    signalPosition: SignalPosition;
    onMissingSignal: OnMissingSignal;
    /** Of agents that do not say it themselves. */
    promptCache: PromptCache;
  }
>;

/** The names of all numeric settings. */
export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName);

/** The default of every setting. */
export const DEFAULT_SETTINGS: Settings = Object.freeze({
  ...valuesOf(SETTINGS),
  language: "en",
  blockOnQuotaExceed: true,
  sharedToolResults: false,
  toolIsolation: "auto",
  toolTimeoutCovers: "call",
  signalPosition: "anywhere",
  onMissingSignal: "warn",
  promptCache: "auto",
});

/** Throws `invalid` if a user's message is empty or larger than the crew takes. */
export function checkInput({ maxInputBytes }: Settings, input: string, images: readonly Image[] = []): void {
  if (input.trim() === "" && images.length === 0) throw new BatonError("invalid", "the input is empty");
  // A code unit is at most three bytes of UTF-8, so short input is not counted.
  if (input.length * 3 <= maxInputBytes) return;
  const bytes = new TextEncoder().encode(input).length;
  if (bytes <= maxInputBytes) return;
  const [size, most] = [bytes, maxInputBytes].map((count) => toFigure(Math.ceil(count / 1_024)));
  throw new BatonError("invalid", `the input is ${size} KB; max_input_size_kb is ${most}`);
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

function valuesOf(table: typeof SETTINGS): Record<SettingName, number>;
function valuesOf(table: Readonly<Record<string, Setting>>): Record<string, number> {
  return Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value]));
}
