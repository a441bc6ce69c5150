/**
 * Number text: durations, counts and costs as text.
 */

const COUNT = new Intl.NumberFormat("en-US");

/** `312 ms`, `1.4 s`, `2 min 5 s` */
export function formatDuration(durationMs: number): string {
  if (durationMs < 999.5) return `${Math.max(0, Math.round(durationMs))} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1,204` */
export function formatNumber(count: number): string {
  return COUNT.format(count);
}

/** `1 turn`, `1,204 turns` */
export function countNoun(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `$1.20`, `$0.0012`; small amounts have two significant digits. */
export function formatUsd(amount: number): string {
  if (amount >= 0.1) return `$${amount.toFixed(2)}`;
  return `$${amount === 0 ? "0" : amount.toPrecision(2)}`;
}

/** `4 s`, `12 min`, `3 h`, `20 days` */
export function formatAge(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ageMs / 1_000))} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
