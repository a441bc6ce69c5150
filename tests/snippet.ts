/**
 * Snippet: a code block of the documentation, and how it is run as a reader would run it.
 *
 * Runs in a folder of its own that looks like the repository (links to what is in it), without the reader's
 * environment, so no snippet needs a key or leaves anything behind. Marked `no-run`, a block is only shown. Marked
 * `file`, it is a file, named by the comment in its first line, of all snippets below it in the same section.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const LINKED = ["node_modules", "crews", "examples", "apps", "package.json"] as const;
const TIMEOUT_MS = 60_000;
const FENCE = /^( *)```(\w+)\b([^\n]*)\n([\s\S]*?)^\1```/gm;
const FILE_NAME = /^(?:#|\/\/) (\S+)/;

/** A block that can be run. */
export interface Snippet {
  readonly language: "ts" | "sh";
  readonly line: number;
  readonly text: string;
  /** What is in its folder besides. */
  readonly files?: readonly SnippetFile[];
}

/** A file of a section, as a reader would write it. */
export interface SnippetFile {
  readonly path: string;
  readonly text: string;
}

interface Fence {
  readonly language: string;
  readonly info: string;
  readonly index: number;
  readonly text: string;
}

/** How a snippet ended, with all it printed. */
export interface SnippetResult {
  readonly exitCode: number | null;
  readonly output: string;
}

/** The blocks of a page that are meant to run: TypeScript, and shell that begins with `npx baton` or `npx node`. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  const fences = fencesOf(markdown);
  return fences.flatMap(({ language, info, index, text }): readonly Snippet[] => {
    if (info.includes("no-run") || isFile(info)) return [];
    const line = markdown.slice(0, index).split("\n").length;
    const files = filesAbove(fences, { from: markdown.lastIndexOf("\n## ", index), to: index });
    const more = files.length === 0 ? {} : { files };
    if (language === "ts") return [{ language, line, text, ...more }];
    return language === "sh" && /^npx (?:baton|node)\b/.test(text) ? [{ language, line, text, ...more }] : [];
  });
}

function fencesOf(markdown: string): readonly Fence[] {
  return Array.from(
    markdown.matchAll(FENCE),
    ({ 1: indent = "", 2: language = "", 3: info = "", 4: text = "", index }) => {
      return { language, info, index, text: text.replaceAll(`\n${indent}`, "\n").trimStart() };
    },
  );
}

/** The files between a heading and a snippet; the last of one name counts. */
function filesAbove(fences: readonly Fence[], { from, to }: { readonly from: number; readonly to: number }) {
  return fences
    .filter(({ info, index }) => isFile(info) && index > from && index < to)
    .map(({ text }): SnippetFile => {
      const path = FILE_NAME.exec(text)?.[1];
      if (path === undefined) throw new Error(`a file needs its name in a comment at its top: ${text.slice(0, 80)}`);
      return { path, text };
    });
}

function isFile(info: string): boolean {
  return info.split(" ").includes("file");
}

/** Runs a snippet to its end, and ends whatever it left running. */
export async function runSnippet({ language, text, files = [] }: Snippet): Promise<SnippetResult> {
  const folder = await mkdtemp(join(tmpdir(), "baton-docs-"));
  try {
    await Promise.all(LINKED.map((name) => symlink(join(ROOT, name), join(folder, name))));
    for (const { path, text: content } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
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
