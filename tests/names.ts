/**
 * Names: the rules on folders, exported names and doc comments that keep the tree easy to search.
 */
import { at, codeOf, isTest, unitOf, type Rule } from "./rule.ts";
import { toCode, type SourceFile } from "./source.ts";

const MAX_SIBLINGS = 30;
/** Folders of data: a list of cases or files that nobody reads as code. */
const DATA_FOLDER = /\/(?:questions|fixtures|golden|mocks|template|images)(?:\/|$)/;

const MAX_SHARED_NAMES = 150;
const EXPORTED = /^export (?:async )?(?:abstract )?(type|interface|class|function\*?|const) (\w+)/gm;

/** Type names that two packages have on purpose, and why. */
const SHARED_TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...names("RunStatus CancelledRun FieldProblem CrewFinding StepPrompt DrawnBox DrawnArrow", {
    why: "the client's copy of an answer of the server: the client imports only core",
  }),
  ...names(
    "ChartPoint ChartBar BarChart PriceCard Financials NewsList MarketOverview Trending Heatmap Chart Provenance",
    {
      why: "the console's copy of a note or tool output of finance: the console imports only the client",
    },
  ),
]);

/** Rules that read sentences: a model's work, so they leave the tree, and their comments are not polished before. */
const LANGUAGE_RULES =
  /^(?:apps\/finance\/(?:intent|offline|learn|market\/embedded|tools\/watch\/times)|packages\/assistant\/src\/memory\/learn)\//;

const DOC_COMMENT = /\/\*\*\s*(?:\n\s*\*\s*)?(\S+)([^\n]*)/g;
const CLAUSE = /^(?:What|Who|Whose|Which|How)$/;
const BOOLEAN_DECLARATION = /boolean|\b(?:is|has|can|may|must|are|should)[A-Z]\w*|\bis \w|asserts /;
const IDIOM_IN_NAME =
  /\b(?:take|taken|takes|took|taking)Up\b|\b\w*(?:[tT]ak(?:e|en|es|ing)Up|[cC]utOff|[wW]hoever|[aA]tWork|[lL]etGo|[iI]nVain)\b/g;

/** A folder has at most 30 siblings, tests and styles counted. */
export const siblings: Rule = (files) => {
  const own = files.filter(({ path }) => /^(?:packages|apps)\//.test(path) && !DATA_FOLDER.test(path));
  const byFolder = Map.groupBy(own, ({ path }) => path.slice(0, path.lastIndexOf("/")));
  return [...byFolder].flatMap(([folder, inside]) =>
    inside.length > MAX_SIBLINGS
      ? [{ path: folder, line: 1, message: `has ${inside.length} siblings, at most ${MAX_SIBLINGS}` }]
      : [],
  );
};

/** An exported type name belongs to one package; the second concept gets a second word. */
export const typeNames: Rule = (files) =>
  [...declarationsOf(files)].flatMap(([name, places]) => {
    const types = places.filter(({ kind }) => ["type", "interface", "class"].includes(kind));
    const [first, other] = [
      types[0],
      types.find(({ file }) => unitOf(file.path) !== unitOf(types[0]?.file.path ?? "")),
    ];
    if (first === undefined || other === undefined || SHARED_TYPE_NAMES.has(name)) return [];
    return at(other.file, other, `the type name ${name} belongs to ${unitOf(first.file.path)}`);
  });

/** Few names are exported by more than one file. */
export const sharedNames: Rule = (files) => {
  const shared = [...declarationsOf(files)].filter(
    ([, places]) => new Set(places.map(({ file }) => file.path)).size > 1,
  );
  const message = `${shared.length} names are exported by more than one file, at most ${MAX_SHARED_NAMES}: ${shared.map(([name]) => name).join(" ")}`;
  return shared.length > MAX_SHARED_NAMES ? [{ path: "packages", line: 1, message }] : [];
};

/** A doc comment begins with a verb or a noun phrase, not with a clause; "whether" is for booleans. */
export const commentOpenings: Rule = (files) =>
  sources(files.filter(({ path }) => !LANGUAGE_RULES.test(path))).flatMap((file) =>
    [...file.text.matchAll(DOC_COMMENT)].flatMap(({ 0: comment, 1: word = "", index }) => {
      const found = { text: word, index };
      if (CLAUSE.test(word)) return at(file, found, `begins with ${word}; begin with a verb or a noun`);
      const end = file.text.indexOf("*/", index) + 2;
      const declared = file.text.slice(end, end + 200).split("\n\n")[0] ?? "";
      const isFree = word !== "Whether" || comment.startsWith("/**\n") || BOOLEAN_DECLARATION.test(declared);
      return at(file, found, isFree ? undefined : "begins with Whether, and is not about a boolean");
    }),
  );

/** Idioms are no names either. */
export const noIdiomsInNames: Rule = (files) =>
  sources(files).flatMap((file) =>
    [...toCode(file.text).matchAll(IDIOM_IN_NAME)].flatMap(({ 0: text, index }) =>
      at(file, { text, index }, `say it in plain words (${text})`),
    ),
  );

function names(list: string, { why }: { readonly why: string }): readonly (readonly [name: string, why: string])[] {
  return list.split(" ").map((name) => [name, why]);
}

interface Declared {
  readonly file: SourceFile;
  readonly kind: string;
  readonly text: string;
  readonly index: number;
}

function declarationsOf(files: readonly SourceFile[]): ReadonlyMap<string, readonly Declared[]> {
  const all = sources(files).flatMap((file) =>
    [...file.text.matchAll(EXPORTED)].map(({ 1: kind = "", 2: text = "", index }) => ({ file, kind, text, index })),
  );
  return Map.groupBy(all, ({ text }) => text);
}

function sources(files: readonly SourceFile[]): readonly SourceFile[] {
  return codeOf(files).filter(
    ({ path }) => /^(?:packages|apps)\//.test(path) && !isTest(path) && !DATA_FOLDER.test(path),
  );
}
