/**
 * Snippet: a code block of the documentation, and how it is run as a reader would run it.
 *
 * Runs in a folder of its own that looks like the repository (links to what is in it), without the reader's
 * environment, so no snippet needs a key or leaves anything behind. Marked `no-run`, a block is only shown.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const LINKED = ["node_modules", "crews", "examples", "apps", "package.json"] as const;
const TIMEOUT_MS = 60_000;
const FENCE = /^( *)```(ts|sh)\b([^\n]*)\n([\s\S]*?)^\1```/gm;

/** A block that can be run. */
export interface Snippet {
  readonly language: "ts" | "sh";
  readonly line: number;
  readonly text: string;
}

/** How a snippet ended, with all it printed. */
export interface SnippetResult {
  readonly exitCode: number | null;
  readonly output: string;
}

/** The blocks of a page that are meant to run: TypeScript, and shell that begins with `npx baton` or `npx node`. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  return [...markdown.matchAll(FENCE)]
    .filter(([, , , info = ""]) => !info.includes("no-run"))
    .map(([, indent = "", language, , text = ""], position, all): Snippet => {
      const line = markdown.slice(0, all[position]?.index).split("\n").length;
      return {
        language: language === "ts" ? "ts" : "sh",
        line,
        text: text.replaceAll(`\n${indent}`, "\n").trimStart(),
      };
    })
    .filter(({ language, text }) => language === "ts" || /^npx (?:baton|node)\b/.test(text));
}

/** Runs a snippet to its end, and ends whatever it left running. */
export async function runSnippet({ language, text }: Snippet): Promise<SnippetResult> {
  const folder = await mkdtemp(join(tmpdir(), "baton-docs-"));
  try {
    await Promise.all(LINKED.map((name) => symlink(join(ROOT, name), join(folder, name))));
    const file = join(folder, language === "ts" ? "snippet.ts" : "snippet.sh");
    await writeFile(file, text);
    return await run(folder, language === "ts" ? ["node", file] : ["bash", "-euo", "pipefail", file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(cwd: string, [command = "", ...args]: readonly string[]): Promise<SnippetResult> {
  const path = [join(ROOT, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { PATH: path, HOME: cwd, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => endGroup(child.pid), TIMEOUT_MS);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(String(chunk)));
  child.on("exit", () => endGroup(child.pid));
  await once(child, "close");
  clearTimeout(timer);
  return { exitCode: child.exitCode, output: chunks.join("") };
}

/** The child leads a process group, so that its own children end with it. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // nobody is left in the group
  }
}
