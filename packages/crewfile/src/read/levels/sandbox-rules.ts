/**
 * Sandbox rules: what a tool may declare about its sandbox, beside paths and hosts.
 */
import type { Tool } from "@baton/core";
import { GRANTS, isLevel, type LevelName, limitsOf, type Sandbox } from "@baton/core/ports";

/** Something that is wrong, at a field of the tool: `sandbox.read`. */
export type SandboxProblem = Readonly<{ field: string; message: string; fix: string }>;

type Range = readonly [least: number, most: number];

const RANGES: Readonly<Record<string, Range>> = {
  memory_mb: [4, 1_048_576],
  cpu_seconds: [0.1, 86_400],
  max_processes: [1, 65_536],
  disk_mb: [1, 1_048_576],
  output_kb: [1, 16_384],
};
const MAX_WASM_MB = 2_048;
const FIELDS: readonly string[] = [...GRANTS, ...Object.keys(RANGES)];
const NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,127}$/;
const MAX_ITEMS = 100;
/** Variables of the programs that make the sandbox, and those that each call has. */
const RESERVED = /^(?:LD_.*|PATH|HOME|LANG|BATON_KEY|BATON_BWRAP|NODE_USE_ENV_PROXY|HTTPS?_PROXY)$/i;

/** Everything wrong with the declaration of a tool at an isolation. */
export function* checkSandbox(tool: Tool, isolation: string): Iterable<SandboxProblem> {
  const { sandbox, module, command } = tool;
  if (!isLevel(isolation)) {
    const given = [sandbox && "sandbox", module && "module", command && "command"].find((name) => name !== undefined);
    if (given === undefined) return;
    const message = `\`${given}\` has no meaning with \`isolation: ${isolation}\`, which is no security boundary`;
    yield {
      field: given,
      message,
      fix: `write \`isolation: ${module === undefined ? "process" : "wasm"}\`, or remove it`,
    };
    return;
  }
  yield* isolation === "wasm" ? checkModule(tool) : checkProgram(tool, isolation);
  if (sandbox !== undefined) yield* checkFields(sandbox, isolation);
}

function* checkModule({ module, command }: Tool): Iterable<SandboxProblem> {
  if (command !== undefined) {
    const fix = "write `isolation: process`, or a `module`";
    yield { field: "command", message: "`command` has no meaning with `isolation: wasm`", fix };
  }
  if (module !== undefined) return;
  const message = "`isolation: wasm` needs `module`, one file without imports";
  yield { field: "isolation", message, fix: "add `module`, or use `isolation: process`" };
}

function* checkProgram({ module, isClient }: Tool, isolation: LevelName): Iterable<SandboxProblem> {
  if (module !== undefined) {
    const message = `\`module\` has no meaning with \`isolation: ${isolation}\``;
    yield { field: "module", message, fix: "write `isolation: wasm`, or a `command`" };
  }
  if (isClient) yield { field: "isolation", message: "the client carries the tool out", fix: "remove `isolation`" };
}

function* checkFields(sandbox: Sandbox, level: LevelName): Iterable<SandboxProblem> {
  if (typeof sandbox !== "object" || sandbox === null || Array.isArray(sandbox)) {
    yield { field: "sandbox", message: "`sandbox` is not a map of grants and limits", fix: "write a map" };
    return;
  }
  for (const [name, value] of Object.entries(sandbox)) {
    const field = `sandbox.${name}`;
    if (value === undefined) continue;
    const problem = findProblem(name, value, level);
    if (problem !== undefined) yield { field, ...problem };
  }
}

function findProblem(name: string, value: unknown, level: LevelName): Omit<SandboxProblem, "field"> | undefined {
  if (!FIELDS.includes(name)) {
    return { message: `\`sandbox\` has no field \`${name.slice(0, 60)}\``, fix: `known: ${FIELDS.join(", ")}` };
  }
  const isGrant = GRANTS.some((grant) => grant === name);
  if (level === "wasm" && !Object.hasOwn(limitsOf(level), name)) {
    const fix = "remove it, or use `isolation: process`";
    return { message: `\`${name}\` has no meaning with \`isolation: wasm\``, fix };
  }
  return isGrant ? findGrantProblem(name, value) : findNumberProblem(name, value, level);
}

function findGrantProblem(name: string, value: unknown): Omit<SandboxProblem, "field"> | undefined {
  const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const isText = (item: unknown) => typeof item === "string" && item !== "" && !item.includes("\0");
  if (items === undefined || !items.every(isText) || items.length > MAX_ITEMS) {
    return { message: `\`${name}\` is not a list of at most ${MAX_ITEMS} texts`, fix: "write a list of texts" };
  }
  const isWrong = (item: unknown) => typeof item === "string" && (!NAME.test(item) || RESERVED.test(item));
  const wrong = name === "env" ? items.find(isWrong) : undefined;
  if (typeof wrong !== "string") return undefined;
  const what = NAME.test(wrong) ? "is a variable that Baton sets" : "is not the name of a variable";
  return { message: `\`env\`: \`${wrong.slice(0, 60)}\` ${what}`, fix: "name another one, without its value" };
}

function findNumberProblem(name: string, value: unknown, level: LevelName): Omit<SandboxProblem, "field"> | undefined {
  const [least, most] = RANGES[name] ?? [0, 0];
  const top = level === "wasm" && name === "memory_mb" ? MAX_WASM_MB : most;
  const isWhole = name === "cpu_seconds" || Number.isInteger(value);
  if (typeof value === "number" && isWhole && value >= least && value <= top) return undefined;
  const message = `\`${name}\`: ${String(value).slice(0, 60)} is out of range`;
  return { message, fix: `write a ${name === "cpu_seconds" ? "" : "whole "}number from ${least} to ${top}` };
}
