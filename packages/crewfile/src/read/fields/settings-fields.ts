/**
 * Settings fields: `settings` of crew.yaml, in core's units.
 *
 * In strict mode the limits must be written out; one error lists all that are missing.
 */
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { report, reportKey, type Cursor } from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";

/** Settings that strict mode does not require, because strict crews written for the reference engine omit them. */
const LEFT_OUT: ReadonlySet<SettingName> = new Set([
  "maxHandoffs",
  "maxSteps",
  "maxRepeatedCalls",
  "maxParallelCalls",
  "maxParallelAgents",
  "maxDepth",
  "maxCallsPerReply",
  "codeMemoryMb",
  "codeCpuSeconds",
  "codeTimeoutMs",
  "maxCodeCalls",
  "maxCodeBytes",
  "maxConsoleChars",
  "timeoutMs",
  "modelAttempts",
  "modelRetryMinMs",
  "modelRetryMaxMs",
  "modelIdleMs",
  "maxCostPerUserPerDayUsd",
  "maxTokensPerUserPerDay",
  "maxCallsPerUserPerMinute",
]);

/** The settings that are written. */
export function readSettings(cursor: Cursor | undefined): Partial<Settings> {
  if (cursor === undefined) return {};
  const fields = new Fields(cursor);
  const values = SETTING_NAMES.map((name): [SettingName, number | undefined] => [
    name,
    readScaled(fields, SETTINGS[name]),
  ]);
  const settings = {
    ...toSettings(values),
    ...omitUndefined({
      language: fields.text("language"),
      blockOnQuotaExceed: fields.flag("block_on_quota_exceed"),
      sharedToolResults: fields.flag("shared_tool_results"),
      toolIsolation: fields.choice("tool_isolation", ["auto", "inline", "shared", "thread", "process"]),
      toolTimeoutCovers: fields.choice("tool_timeout_covers", ["call", "attempt"]),
      signalPosition: fields.choice("signal_position", ["anywhere", "end"]),
      onMissingSignal: fields.choice("on_missing_signal", ["warn", "correct", "ignore"]),
      promptCache: fields.choice("prompt_cache", ["auto", "long", "off"]),
    }),
  };
  const mode = fields.choice("config_mode", ["permissive", "strict"]);
  if (mode === "strict") reportMissing(fields);
  fields.end();
  return settings;
}

function toSettings(values: readonly [SettingName, number | undefined][]): Partial<Settings>;
function toSettings(values: readonly [string, number | undefined][]): Record<string, number | undefined> {
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A number in core's unit; a negative one is reported here if core would show it in a unit that is not in the file. */
export function readScaled(
  fields: Fields,
  { yaml, value: normal, scale }: (typeof SETTINGS)[SettingName],
): number | undefined {
  const value = fields.number(yaml);
  if (value === undefined || value >= 0 || scale === 1) return value === undefined ? undefined : value * scale;
  const cursor = fields.get(yaml);
  const message = `\`${yaml}\`: ${value} is out of range`;
  const fix = `write a positive number; the default is ${normal / scale}`;
  if (cursor !== undefined) report(cursor, { code: "invalid_value", message, fix });
  return undefined;
}

function reportMissing(fields: Fields): void {
  const wanted = SETTING_NAMES.filter((name) => !LEFT_OUT.has(name));
  const missing = wanted.filter((name) => fields.get(SETTINGS[name].yaml) === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => {
    const { yaml, value, meaning, scale } = SETTINGS[name];
    return `  ${yaml}: ${value / scale}  # ${meaning}`;
  });
  const message = ["`config_mode: strict` needs these limits too, here with their defaults:", ...lines].join("\n");
  reportKey(fields.cursor, { code: "missing_settings", message, fix: "add them, or write `config_mode: permissive`" });
}
