/**
 * Test plan: which files of tests a run plays, and which of them share a process.
 *
 * Starting Node and loading the product costs more than most tests, so the default tier shares processes by folder. A
 * file with hooks for its whole process, a page and a deep test have a process of their own.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files that one process runs, one after the other. */
export interface TestBatch {
  readonly files: readonly string[];
  readonly tier: Tier;
}

/** Quick tests; pages in a browser; exhaustive tests, of which a run plays a slice. */
export type Tier = "test" | "page" | "deep";

/** Chooses files: by the start of their paths (all, if there are none), and by `BATON_SLICE`. */
export interface TestChoice {
  readonly prefixes: readonly string[];
  readonly slice: string;
}

const PATTERNS = [
  "{packages,apps,evals}/*/**/*.test.ts",
  "{tests,bench,examples,crews,release}/*.test.ts",
  "{bench,crews}/*/**/*.test.ts",
];
/** Hooks outside of any suite act on every test of their process. */
const PROCESS_HOOK = /^(?:before|after)(?:Each)?\(/m;
const SMOKE = /(?:^|\/)smoke\.page\.test\.ts$/;
const MAX_BATCH = 12;
/** A deep test that does not choose its cases by the slice is played whole, in one of the slices. */
const SLICED = /\binSlice\(/;
const SLICES = 10;

/** Returns the batches of a run, those that take longest first. */
export function planTests(root: string, { prefixes, slice }: TestChoice): readonly TestBatch[] {
  const all = [
    ...new Set(globSync(PATTERNS, { cwd: root, exclude: (path) => path.includes("node_modules") })),
  ].toSorted();
  const texts = new Map(all.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const isNamed = (file: string) => prefixes.some((prefix) => file.startsWith(prefix));
  const whole = all.filter((file) => tierOf(file) === "deep" && !SLICED.test(texts.get(file) ?? ""));
  const isChosen = (file: string) => {
    if (slice === "all" || tierOf(file) === "test") return true;
    return tierOf(file) === "page"
      ? SMOKE.test(file)
      : !whole.includes(file) || whole.indexOf(file) % SLICES === Number(slice);
  };
  const files = all.filter((file) => (prefixes.length === 0 ? isChosen(file) : isNamed(file)));
  const isAlone = (file: string) => tierOf(file) !== "test" || PROCESS_HOOK.test(texts.get(file) ?? "");
  const alone = files.filter(isAlone).map((file) => ({ files: [file], tier: tierOf(file) }));
  const shared = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    (file) => file.slice(0, file.lastIndexOf("/")),
  );
  return [
    ...alone.toSorted((one, other) => ORDER.indexOf(one.tier) - ORDER.indexOf(other.tier)),
    ...[...shared.values()].flatMap(chunk),
  ];
}

const ORDER: readonly Tier[] = ["page", "deep", "test"];

function tierOf(file: string): Tier {
  if (file.endsWith(".page.test.ts")) return "page";
  return file.endsWith(".deep.test.ts") ? "deep" : "test";
}

function chunk(files: readonly string[]): readonly TestBatch[] {
  const count = Math.ceil(files.length / MAX_BATCH);
  return Array.from({ length: count }, (_, at) => ({
    files: files.filter((_file, index) => index % count === at),
    tier: "test",
  }));
}
