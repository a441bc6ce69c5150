/**
 * Help: the table of commands as text.
 */

/** All commands. */
export function toHelp(commands) {
  const rows = commands.map(({ name, usage, text }) => [`${name} ${usage}`, text]);
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

/** One command. */
export function toCommandHelp({ name, usage, text, more, flags, examples }) {
  const rows = Object.entries(flags).map(([flag, { value, fallback, short, text: meaning }]) => {
    const taken = fallback === undefined ? value : `[${value}]`;
    const long = `--${flag}${value === undefined ? "" : ` ${taken}`}`;
    return [short === undefined ? long : `-${short}, ${long}`, meaning];
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

function toTable(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
