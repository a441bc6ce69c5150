/**
 * Arguments: parses the arguments of a command by the command's table.
 *
 * Never throws: the result has the first problem, with the option's name if the option is unknown.
 */
import { parseArgs } from "node:util";

const NUMBER = /^-?\d*\.?\d+$/;

/** @import { CommandEntry, CommandLine, Flag, Flags } from "./commands.js" */
/** @typedef {{ readonly message: string; readonly flag?: string }} ArgumentProblem */
/** @typedef {Extract<NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number], { kind: "option" }>} OptionToken */

/**
 * Options by name (true, or their value), the other arguments, and the first problem.
 *
 * @param {Pick<CommandEntry, "flags" | "maxPositionals">} command
 * @param {readonly string[]} args
 * @returns {CommandLine & { readonly problem: ArgumentProblem | undefined }}
 */
export function parseArguments({ flags, maxPositionals = Infinity }, args) {
  const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, toOption(flag)]));
  const { tokens, positionals } = parseArgs({
    args: withFallbacks(args, flags),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = (tokens ?? []).filter((token) => token.kind === "option");
  const found = toFound(given, flags);
  const problem = given.map((token) => findProblem(token, flags)).find((one) => one !== undefined);
  const end = args.indexOf("--");
  const trailing = end === -1 ? [] : args.slice(end + 1);
  return { flags: found, positionals, trailing, problem: problem ?? findExcess(positionals, maxPositionals) };
}

/**
 * If an option is repeated, the last one counts; an option with a list collects all.
 *
 * @param {readonly OptionToken[]} given
 * @param {Flags} flags
 */
function toFound(given, flags) {
  /** @type {Map<string, string | true>} */
  const found = new Map();
  for (const { name, value = true } of given) {
    const isMore = flags[name]?.isList === true && found.has(name);
    found.set(name, isMore ? `${found.get(name)},${value}` : value);
  }
  return found;
}

/**
 * An option with an optional value takes the next argument only if it is a number.
 *
 * @param {readonly string[]} args
 * @param {Flags} flags
 */
function withFallbacks(args, flags) {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const fallback = arg.startsWith("--") && (end === -1 || index < end) ? flags[arg.slice(2)]?.fallback : undefined;
    const hasValue = fallback === undefined || NUMBER.test(args[index + 1] ?? "");
    return hasValue ? arg : `${arg}=${fallback}`;
  });
}

/**
 * @param {Flag} flag
 * @returns {import("node:util").ParseArgsOptionDescriptor}
 */
function toOption({ value, short }) {
  return { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
}

/**
 * @param {OptionToken} token
 * @param {Flags} flags
 * @returns {ArgumentProblem | undefined}
 */
function findProblem({ name, rawName, value, inlineValue }, flags) {
  const known = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (known === undefined) {
    const hint = rawName.startsWith("--") ? "" : " (if it is part of the input, write -- before the input)";
    return { message: `there is no option \`${rawName}\`${hint}.`, flag: name };
  }
  const wanted = known.value;
  if (wanted === undefined) {
    return inlineValue === true ? { message: `\`${rawName}\` takes no value.` } : undefined;
  }
  const isMissing = value === undefined || (!inlineValue && isFlag(value));
  return isMissing ? { message: `\`${rawName}\` needs a value: ${rawName} ${wanted}.` } : undefined;
}

/**
 * `-` is standard input, and `-5` a number.
 *
 * @param {string} word
 */
function isFlag(word) {
  return word.startsWith("-") && word !== "-" && !NUMBER.test(word);
}

/**
 * @param {readonly string[]} positionals
 * @param {number} maxPositionals
 * @returns {ArgumentProblem | undefined}
 */
function findExcess(positionals, maxPositionals) {
  if (positionals.length <= maxPositionals) return undefined;
  return { message: `\`${positionals[maxPositionals]}\` is one argument too many.` };
}
