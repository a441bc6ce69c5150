import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { DEFAULT_SETTINGS, SETTING_NAMES, SETTINGS } from "@baton/core/ports";
import { readCrew } from "@baton/crewfile";
import { chooseModel, MODEL_PROVIDERS, ModelRegistry } from "@baton/models";

const root = join(import.meta.dirname, "..");
const read = (page: string) => readFileSync(join(root, page), "utf8");

/** A crew that holds a field nobody knows in every kind of map; the finding names those that are known. */
const EVERYWHERE = `
version: "1.0"
agents:
  - { id: a, name: A, role: R, backup: { model: script, X: 1 }, cost_limits: { X: 1 }, error_limits: { X: 1 }, X: 1 }
tasks: [{ name: t, agent: a, X: 1 }]
schedules: [{ name: s, X: 1 }]
settings: { X: 1 }
routing:
  signals: { a: [{ signal: "[S]", X: 1 }] }
  agent_behaviors: { a: { X: 1 } }
  parallel_groups: { g: { agents: [a], X: 1 } }
  X: 1
X: 1
`.replaceAll("X: 1", "qqqqqqqqqqqqqqqq: 1");

/** Headings of docs/crews.md, and where in the crew above their fields are. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ["`crew.yaml`", ""],
  ["`tasks`", "tasks[0]"],
  ["`schedules`", "schedules[0]"],
  ["`routing`", "routing"],
  ["`routing.signals`", "routing.signals.a[0]"],
  ["`routing.agent_behaviors`", "routing.agent_behaviors.a"],
  ["`routing.parallel_groups`", "routing.parallel_groups.g"],
  ["`agents/<id>.yaml`", "agents[0]"],
  ["`primary` and `backup`", "agents[0].backup"],
  ["`cost_limits`", "agents[0].cost_limits"],
  ["`error_limits`", "agents[0].error_limits"],
  ["`settings`", "settings"],
  ["`script.yaml`", "a[0]"],
]);

suite("docs/crews.md", () => {
  test("its tables hold every field there is, and no other", async () => {
    const known = await knownFields();
    for (const [heading, path] of PLACES) {
      const documented = rowsUnder("docs/crews.md", `### ${heading}`).map(([field = ""]) => toName(field));
      assert.deepEqual(documented.toSorted(), known.get(path)?.toSorted(), heading);
    }
  });

  test("its settings have the defaults and meanings that the engine has", () => {
    const numbers = SETTING_NAMES.map((name) => {
      const { yaml, value, meaning, scale } = SETTINGS[name];
      return [`\`${yaml}\``, String(value / scale), meaning];
    });
    const rows = rowsUnder("docs/crews.md", "### `settings`");
    assert.deepEqual(rows.slice(0, numbers.length), numbers);
    const { language, blockOnQuotaExceed, sharedToolResults, toolIsolation } = DEFAULT_SETTINGS;
    const { signalPosition, onMissingSignal, promptCache, toolTimeoutCovers } = DEFAULT_SETTINGS;
    assert.deepEqual(
      rows.slice(numbers.length).map(([field, value]) => [field, value]),
      [
        ["`language`", language],
        ["`block_on_quota_exceed`", String(blockOnQuotaExceed)],
        ["`shared_tool_results`", String(sharedToolResults)],
        ["`tool_timeout_covers`", toolTimeoutCovers],
        ["`tool_isolation`", toolIsolation],
        ["`signal_position`", signalPosition],
        ["`on_missing_signal`", onMissingSignal],
        ["`prompt_cache`", promptCache],
        ["`config_mode`", "permissive"],
      ],
    );
  });
});

suite("docs/cli.md", () => {
  const texts = readHelp();
  const help = (name = "") => texts.get(name) ?? "";
  const commands = Array.from(help().matchAll(/^ {2}([a-z]+) /gm), ([, name = ""]) => name);

  test("it has a section for every command, in their order", () => {
    const sections = Array.from(read("docs/cli.md").matchAll(/^## `baton ([a-z]+)`$/gm), ([, name]) => name);
    assert.notEqual(commands.length, 0);
    assert.deepEqual(sections, commands);
  });

  for (const name of commands) {
    test(`the options of baton ${name} are those of its help`, () => {
      const options = Array.from(
        help(name).matchAll(/^ {2}(?:-[a-gi-z], )?(--[a-z-]+(?: [A-Z]+)?) /gm),
        ([, option]) => `\`${option}\``,
      );
      const rows = rowsUnder("docs/cli.md", `## \`baton ${name}\``);
      assert.deepEqual(
        rows.map(([option]) => option),
        options,
      );
    });
  }

  test("its exit codes are those of the help", () => {
    const codes = rowsUnder("docs/cli.md", "# The command").map(([code]) => code);
    const told = /Exit code: (.*)\./.exec(help("run"))?.[1] ?? "";
    assert.deepEqual(codes, told.match(/\d+/g));
  });
});

suite("docs/models.md", () => {
  const rows = rowsUnder("docs/models.md", "## Providers");

  test("its table holds every provider, and no other", () => {
    assert.deepEqual(
      rows.map(([provider = ""]) => toName(provider)),
      MODEL_PROVIDERS,
    );
  });

  test("a provider that misses its key asks for the variable that the table names", () => {
    const models = new ModelRegistry({ env: {} });
    const keys = rows.flatMap(([provider = "", key = ""]) => (/^`[A-Z_]+`$/.test(key) ? [{ provider, key }] : []));
    assert.equal(keys.length, 4);
    for (const { provider, key } of keys) {
      const expected = { code: "invalid", message: new RegExp(`set ${toName(key)}\\b`) };
      assert.throws(() => models.resolve({ name: `${toName(provider)}/any` }), expected);
    }
  });

  test("it names the models that a key alone chooses, in their order", () => {
    const keys = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" };
    const chosen = Object.entries(keys).map(
      ([variable, key]) => `\`${chooseModel({ env: { [variable]: key }, hasScript: false }).ref.name}\``,
    );
    assert.ok(
      read("docs/models.md")
        .replaceAll(/\s+/g, " ")
        .includes(`${chosen.join(", ")}.`),
      chosen.join(", "),
    );
  });
});

test("every link between pages leads to a page and a heading that are there", () => {
  const pages = globSync(["*.md", "llms.txt", "{docs,crews}/**/*.md"], { cwd: root });
  for (const page of pages) {
    for (const [, link = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (link.includes("://")) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(join(root, target)), `${page}: ${link}`);
      if (anchor !== undefined) assert.ok(anchorsOf(read(target)).includes(anchor), `${page}: ${link}`);
    }
  }
});

/** The names that are known at each place, as the findings of a crew with unknown fields tell them. */
async function knownFields(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), "baton-docs-"));
  try {
    writeFileSync(join(folder, "crew.yaml"), EVERYWHERE);
    writeFileSync(join(folder, "script.yaml"), "a: [{ say: hello, qqqqqqqqqqqqqqqq: 1 }]\n");
    const { findings } = await readCrew(folder, { providers: MODEL_PROVIDERS });
    return new Map(
      findings
        .filter(({ code }) => code === "unknown_field")
        .map(({ path, fix }) => [path.replace(/\.?q+$/, ""), fix.replace("remove it; known here: ", "").split(", ")]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The cells of the first table under a heading, before any other heading; none where there is no table. */
function rowsUnder(page: string, heading: string): readonly (readonly string[])[] {
  const lines = read(page).split("\n");
  const start = lines.indexOf(heading);
  assert.notEqual(start, -1, `${page} has no heading ${heading}`);
  const end = lines.findIndex((line, index) => index > start && line.startsWith("#"));
  const table = lines.slice(start, end === -1 ? undefined : end).filter((line) => line.startsWith("| "));
  return table.slice(1).map((line) => line.split(" | ").map((cell) => cell.replaceAll("|", "").trim()));
}

/** `name` * → name */
function toName(cell: string): string {
  return cell.replace(" *", "").replaceAll("`", "");
}

/** The help of all commands and, under the empty name, of `baton` itself; printed by one process. */
function readHelp(): ReadonlyMap<string, string> {
  const bin = join(root, "packages", "cli", "bin");
  const program = `
    import { COMMANDS } from ${JSON.stringify(join(bin, "commands.js"))};
    import { runCommand } from ${JSON.stringify(join(bin, "run-command.js"))};
    for (const name of ["", ...COMMANDS.map((command) => command.name)]) {
      process.stdout.write("\\0" + name + "\\0");
      await runCommand(name === "" ? ["--help"] : [name, "--help"]);
    }`;
  const text = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  const parts = text.split("\0").slice(1);
  return new Map(Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at] ?? "", parts[2 * at + 1] ?? ""]));
}

/** Headings as the addresses that GitHub gives them. */
function anchorsOf(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
