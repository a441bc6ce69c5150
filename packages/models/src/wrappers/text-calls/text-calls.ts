/**
 * Text calls: tool calls that a model wrote as text.
 *
 * `ToolName(a, "b", key=value)` at the start of a line, and JSON calls on a line of their own, in a fence or in a
 * tag, as small models write them. Only tools that exist are called; all else stays text. Linear on any input.
 */
import type { Json } from "@baton/core";
import type { ToolSpec } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { isJsonArray, isJsonObject } from "../../json.ts";
import { toArguments } from "./text-arguments.ts";
import type { ScanResult, TextScan } from "./text-scan.ts";

/** A stretch of a reply: text as it was, or a call. */
export type TextPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly tool: string; readonly args: string };

type Call = Extract<TextPiece, { type: "call" }>;
type Tools = ReadonlyMap<string, ToolSpec>;

/** Texts that may come before calls, each with the text that may come after them. */
export const OPENERS: ReadonlyMap<string, string> = new Map([
  ["```json", "```"],
  ["```tool_calls", "```"],
  ["```tool_call", "```"],
  ["```tool_code", "```"],
  ["```tool", "```"],
  ["```\n", "```"],
  ["```\r\n", "```"],
  ["<tool_calls>", "</tool_calls>"],
  ["<tool_call>", "</tool_call>"],
  ["<function_call>", "</function_call>"],
  ["<tool>", "</tool>"],
]);

/** Llama's way: the name in the tag, the arguments as JSON inside. */
export const FUNCTION_TAG = "<function=";

/** A reply in pieces, in order. */
export function parseTextCalls(scan: TextScan, tools: Tools): readonly TextPiece[] {
  const { text } = scan;
  const pieces: TextPiece[] = [];
  let textFrom = 0;
  let line = 0;
  while (line < text.length) {
    const found = readCalls(scan, scan.skip(line, INDENT), tools);
    if (found !== undefined) {
      if (line > textFrom) pieces.push({ type: "text", text: text.slice(textFrom, line) });
      pieces.push(...found.value);
      textFrom = found.end;
    }
    const newline = text.indexOf("\n", found?.end ?? line);
    if (newline === -1) break;
    line = newline + 1;
  }
  if (textFrom < text.length) pieces.push({ type: "text", text: text.slice(textFrom) });
  return pieces;
}

/** The calls that begin here; undefined if this is text. */
export function readCalls(scan: TextScan, start: number, tools: Tools): ScanResult<readonly Call[]> | undefined {
  const { text } = scan;
  if (text.startsWith(FUNCTION_TAG, start)) return readFunctionTag(scan, start, tools);
  for (const [opener, closer] of OPENERS) {
    if (text.startsWith(opener, start)) return readBlock(scan, { start: start + opener.length, closer }, tools);
  }
  return readCall(scan, start, tools);
}

/** Calls one after another, then the closer, if present. */
function readBlock(
  scan: TextScan,
  { start, closer }: { readonly start: number; readonly closer: string },
  tools: Tools,
): ScanResult<readonly Call[]> | undefined {
  const calls: Call[] = [];
  let end = start;
  for (;;) {
    const next = scan.skip(end, SPACE);
    const found = readCall(scan, next, tools);
    if (found === undefined) {
      if (calls.length === 0) return scan.waste(next - start);
      return { value: calls, end: scan.text.startsWith(closer, next) ? next + closer.length : end };
    }
    calls.push(...found.value);
    end = found.end;
  }
}

function readFunctionTag(scan: TextScan, start: number, tools: Tools): ScanResult<readonly Call[]> | undefined {
  const { text } = scan;
  const nameAt = start + FUNCTION_TAG.length;
  const tool = scan.name(nameAt);
  if (!tools.has(tool) || text.charAt(nameAt + tool.length) !== ">") return undefined;
  const open = scan.skip(nameAt + tool.length + 1, SPACE);
  const args = text.charAt(open) === "{" ? scan.json(open) : undefined;
  if (args === undefined || parseJson(args.value) === undefined) return scan.waste(open - start);
  const next = scan.skip(args.end, SPACE);
  const end = text.startsWith("</function>", next) ? next + "</function>".length : args.end;
  return { value: [{ type: "call", tool, args: args.value }], end };
}

function readCall(scan: TextScan, start: number, tools: Tools): ScanResult<readonly Call[]> | undefined {
  const char = scan.text.charAt(start);
  if (char === "{" || char === "[") return readJsonCalls(scan, start, tools);
  const name = scan.name(start);
  const tool = tools.get(name);
  if (tool === undefined || scan.text.charAt(start + name.length) !== "(") return undefined;
  const found = scan.arguments(start + name.length);
  if (found === undefined) return undefined;
  return { value: [{ type: "call", tool: name, args: toArguments(found.value, tool) }], end: found.end };
}

function readJsonCalls(scan: TextScan, start: number, tools: Tools): ScanResult<readonly Call[]> | undefined {
  const found = scan.json(start);
  if (found === undefined) return undefined;
  const value = parseJson(found.value);
  const calls = value === undefined ? [] : toJsonCalls(value, tools);
  return calls.length === 0 ? scan.waste(found.end - start) : { value: calls, end: found.end };
}

/** Each of the shapes that models use; none if any part of it is not a call of a known tool. */
function toJsonCalls(value: Json, tools: Tools): readonly Call[] {
  if (isJsonArray(value)) {
    const calls = value.map((item) => toJsonCalls(item, tools));
    return calls.every((some) => some.length > 0) ? calls.flat() : [];
  }
  if (!isJsonObject(value)) return [];
  const { tool_calls: several, function: inner } = value;
  if (several !== undefined) return isJsonArray(several) ? toJsonCalls(several, tools) : [];
  if (isJsonObject(inner)) return toJsonCalls(inner, tools);
  const args = value["arguments"] ?? value["args"] ?? value["parameters"] ?? value["input"];
  const tool = value["name"] ?? value["tool"] ?? value["tool_name"] ?? inner;
  if (args === undefined || typeof tool !== "string" || !tools.has(tool)) return [];
  return [{ type: "call", tool, args: typeof args === "string" ? args : JSON.stringify(args) }];
}

const INDENT = " \t";
const SPACE = " \t\r\n";
