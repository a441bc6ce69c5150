/**
 * Arguments: what was typed after a command's name, read by the command's own table.
 *
 * Nothing is thrown: the first thing that cannot be understood is a problem, with the flag it is about if it is an
 * unknown one.
 */
import { parseArgs } from "node:util";

const NUMBER = /^-?\d*\.?\d+$/;

/** Flags by name (true, or their value) and all other arguments, or what is wrong with them. */
export function parseArguments({ flags, maxPositionals = Infinity }, args) {
  const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, toOption(flag)]));
  const { tokens, positionals } = parseArgs({
    args: withFallbacks(args, flags),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.filter(({ kind }) => kind === "option");
  const found = toFound(given, flags);
  const problem = given.map((token) => findProblem(token, flags)).find((one) => one !== undefined);
  return { flags: found, positionals, problem: problem ?? findExcess(positionals, maxPositionals) };
}

/** Of a flag that is there several times the last one counts, or all of them where it takes a list. */
function toFound(given, flags) {
  const found = new Map();
  for (const { name, value = true } of given) {
    const isMore = flags[name]?.isList === true && found.has(name);
    found.set(name, isMore ? `${found.get(name)},${value}` : value);
  }
  return found;
}

/** A flag whose value may be left out takes a number after it, and nothing else. */
function withFallbacks(args, flags) {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const fallback = arg.startsWith("--") && (end === -1 || index < end) ? flags[arg.slice(2)]?.fallback : undefined;
    const hasValue = fallback === undefined || NUMBER.test(args[index + 1] ?? "");
    return hasValue ? arg : `${arg}=${fallback}`;
  });
}

function toOption({ value, short }) {
  return { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
}

function findProblem({ name, rawName, value, inlineValue }, flags) {
  if (!Object.hasOwn(flags, name)) {
    const hint = rawName.startsWith("--") ? "" : " (where it is part of the input, write -- before that)";
    return { message: `there is no option \`${rawName}\`${hint}.`, flag: name };
  }
  const wanted = flags[name].value;
  if (wanted === undefined) {
    return inlineValue === true ? { message: `\`${rawName}\` takes no value.` } : undefined;
  }
  const isMissing = value === undefined || (inlineValue === false && isFlag(value));
  return isMissing ? { message: `\`${rawName}\` needs a value: ${rawName} ${wanted}.` } : undefined;
}

/** A dash alone is standard input, and one before a number its sign. */
function isFlag(word) {
  return word.startsWith("-") && word !== "-" && !NUMBER.test(word);
}

function findExcess(positionals, maxPositionals) {
  if (positionals.length <= maxPositionals) return undefined;
  return { message: `\`${positionals[maxPositionals]}\` is one argument too many.` };
}
