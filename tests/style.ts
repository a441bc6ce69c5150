/**
 * Style: the rules on how a file reads that the linter cannot check.
 *
 * Each is a function over the repository's files, like those of architecture, and is named by what it demands.
 */
import { at, coreOf, isTest, START, codeOf, type Rule } from "./rule.ts";
import { parametersOf, toCode, type SourceFile } from "./source.ts";

const CORE_SRC = "packages/core/src/";
const CONSOLE_SRC = "packages/console/src/";
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(?:page|deep))?(\.(test|config|d))?\.[jt]sx?$/;
const BOOLEAN_TYPE = /^\s*(?:\w+\s+)*\w+\??\s*:([^=]*)/;
const BOOLEAN_DEFAULT = /^\s*\w+\s*=\s*(?:true|false)\s*$/;
const MUTABLE_STATE =
  /^(?:export )?(?:(?:let|var)\b|const \w+(?:: (?!Readonly)[^=]+)? = (?:new (?:Weak)?(?:Map|Set)\b|\[\];|\{\};))/gm;
const WORLD =
  /(?<![.\w])(?:process|globalThis|setTimeout|setInterval|setImmediate|performance|crypto|Date\.now|Math\.random|new Date\(\))(?!\w)/g;
const LINT_SWITCH = /(?:oxlint|eslint)-disable/g;
const MACHINE_PATH = /(?<![\w.$})~-])\/(?:work|tmp|root|home|Users)\/[\w.-]+/g;
const IDIOM =
  /\b(?:whoever|t(?:ak(?:en?|es|ing)|ook) up|cut off|of itself|(?<!\bthere )is none|at work|be had|in vain|lets? go of|comes? to nothing|told so|is dear|in the place of|such a one|as it stands)\b/gi;
const REGISTRY = /\bregistry\.[a-z0-9-]+\.(?:org|com|net|io|dev|cn)\b|"resolved": "https?:/g;

/** Files are named in kebab-case. */
export const kebabCase: Rule = (files) =>
  codeOf(files).flatMap((file) => {
    const name = file.path.split("/").at(-1) ?? "";
    return at(file, START, KEBAB_CASE.test(name) ? undefined : "is not named in kebab-case");
  });

/** A source file opens with a doc comment of one to four lines of text: what it is and what it promises. */
export const opening: Rule = (files) =>
  sources(files).flatMap((file) => {
    const lines = openingLines(file.text);
    return at(file, START, lines < 1 || lines > 4 ? `opens with ${lines} lines of doc comment, not 1 to 4` : undefined);
  });

/** Imports say who reads whom; a list in an opening would rot. */
export const noReaderLists: Rule = (files) =>
  inText(codeOf(files), /^ \* .*?\b(?:Reads|Read by):/gm, "no list of who reads whom");

/** What a module gives is written out. */
export const noExportAll: Rule = (files) => each(codeOf(files), /^export\s*\*/gm, "no `export *`");

/** Type stripping knows no decorators. */
export const noDecorators: Rule = (files) => each(codeOf(files), /^\s*@[a-z]/gim, "no decorators");

/** A module holds no state; a constant collection says so by its type (`ReadonlyMap`, `ReadonlySet`). */
export const noModuleState: Rule = (files) => each(sources(files), MUTABLE_STATE, "no mutable state in a module");

/** A parameter is never a boolean: its meaning is lost where it is passed. */
export const noBooleanParameters: Rule = (files) =>
  sources(files).flatMap((file) =>
    parametersOf(toCode(file.text))
      .filter(({ text }) => isBoolean(text))
      .flatMap((found) => at(file, found, `no boolean parameter (${found.text.trim()})`)),
  );

/** In core, time, ids and randomness come through the clock and the host. */
export const noWorldInCore: Rule = (files) =>
  coreOf(files)
    .filter(({ path }) => path !== `${CORE_SRC}lifetimes/clock.ts`)
    .flatMap((file) => {
      const text = toCode(file.text);
      return [...text.matchAll(WORLD)]
        .filter(
          ({ index }) => !(file.path === `${CORE_SRC}engine/engine.ts` && text.startsWith("crypto.randomUUID", index)),
        )
        .flatMap(({ 0: word, index }) => at(file, { text: word, index }, `core does not use ${word}`));
    });

/** A rule of the linter is kept or changed, not switched off for a line. */
export const noLintSwitches: Rule = (files) => inText(codeOf(files), LINT_SWITCH, "no switched off lint rule");

/** Nothing in the repository names somebody's machine. */
export const noMachinePaths: Rule = (files) => inText(files, MACHINE_PATH, "no path of a machine");

/**
 * Comments, messages and documents use the plain words of the industry: recover, interrupted, running, not valid.
 * docs/api.md is generated from comments.
 */
export const noIdioms: Rule = (files) =>
  inText(
    [...sources(files), ...files.filter(({ path }) => /^(?:README|docs\/(?!api\.)[^/]+)\.md$/.test(path))],
    IDIOM,
    "say it in plain words",
  );

/** Pages of the console write values with its one formatter, and say more about an element in a tooltip. */
export const oneFormatter: Rule = (files) => {
  const pages = sources(files).filter(
    ({ path }) => path.startsWith(CONSOLE_SRC) && !path.startsWith(`${CONSOLE_SRC}format/`),
  );
  return [
    ...each(pages, /\bIntl\.|\.to(?:Fixed|Locale\w*String)\(/g, "write values with format/"),
    ...each(pages, /<[a-z]\w*(?:\s+[\w-]+=(?:"[^"]*"|\{[^{}]*\}))*\s+title=/g, "use a tooltip instead of title="),
  ];
};

/** Nothing in the repository names a package registry. */
export const noRegistries: Rule = (files) => inText(files, REGISTRY, "no registry host");

function sources(files: readonly SourceFile[]): readonly SourceFile[] {
  return codeOf(files).filter(({ path }) => /^(?:packages|apps)\//.test(path) && !isTest(path));
}

function each(files: readonly SourceFile[], pattern: RegExp, message: string) {
  return files.flatMap((file) =>
    [...toCode(file.text).matchAll(pattern)].flatMap(({ 0: text, index }) => at(file, { text, index }, message)),
  );
}

function inText(files: readonly SourceFile[], pattern: RegExp, message: string) {
  return files.flatMap((file) =>
    [...file.text.matchAll(pattern)].flatMap(({ 0: text, index }) => at(file, { text, index }, `${message} (${text})`)),
  );
}

function openingLines(text: string): number {
  const body = text.replace(/^#!.*\n/, "");
  if (!body.startsWith("/**")) return 0;
  const comment = body.slice(3, body.indexOf("*/"));
  return comment.split("\n").filter((line) => /\w/.test(line)).length;
}

function isBoolean(parameter: string): boolean {
  if (BOOLEAN_DEFAULT.test(parameter)) return true;
  const type = BOOLEAN_TYPE.exec(parameter)?.[1] ?? "";
  const options = type.split("|").map((option) => option.trim());
  return options.includes("boolean") && options.every((option) => /^(?:boolean|undefined|null)$/.test(option));
}
