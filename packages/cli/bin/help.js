/**
 * Help: the table of commands as text.
 */

/** @import { CommandEntry } from "./commands.js" */

/**
 * All commands.
 *
 * @param {readonly CommandEntry[]} commands
 */
export function toHelp(commands) {
  const rows = commands.map(({ name, usage, text }) => toRow(`${name} ${usage}`, text));
  return [
    "Baton runs crews of LLM agents that are defined in YAML.",
    "",
    "Usage: baton COMMAND [ARGUMENTS]",
    "",
    ...toTable(rows),
    "",
    "`baton COMMAND --help` shows the options of a command. Start with `baton init`.",
    "",
  ].join("\n");
}

/**
 * One command.
 *
 * @param {CommandEntry} command
 */
export function toCommandHelp({ name, usage, text, more, flags, examples }) {
  const rows = Object.entries(flags).map(([flag, { value, fallback, short, text: meaning }]) => {
    const taken = fallback === undefined ? value : `[${value}]`;
    const long = `--${flag}${value === undefined ? "" : ` ${taken}`}`;
    return toRow(short === undefined ? long : `-${short}, ${long}`, meaning);
  });
  return [
    `baton ${name}: ${text}`,
    "",
    `Usage: baton ${name} ${usage}${rows.length > 1 ? " [OPTIONS]" : ""}`,
    ...(more === undefined ? [] : ["", more]),
    "",
    ...toTable(rows),
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/**
 * @param {string} left
 * @param {string} right
 * @returns {readonly [left: string, right: string]}
 */
function toRow(left, right) {
  return [left, right];
}

/** @param {readonly (readonly [left: string, right: string])[]} rows */
function toTable(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
