/**
 * Call result: what a server answered, as a tool's output and the text for the model.
 */
import { type Json, ToolError } from "@baton/core";
import { checkJson } from "@baton/core/util";
import { toJson } from "./json-rpc.ts";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { McpDefinition } from "@baton/crewfile/mcp";

/** Limits of a check of what servers say: their schemas may be hostile. */
export const CHECK_LIMITS = { maxDepth: 64, formats: "ignored" } as const;

/** The output, and the text for the model if that says something else. */
export type CallOutput = Readonly<{ output: Json; digest?: string }>;

/** The result of a call, with the name by which errors call the tool. */
export type Answered = Readonly<{ name: string; definition: McpDefinition; result: CallToolResult }>;

/** Converts a result. Throws `permanent` if the server says that it failed, or if the result does not fit its schema. */
export function toCallOutput(answered: Answered, note: (kind: string, data: Json) => void): CallOutput {
  const { name, definition, result } = answered;
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.join("\n\n");
  if (result.isError === true) throw new ToolError("permanent", text === "" ? `${name} failed` : text);
  const structured = result.structuredContent === undefined ? undefined : toJson(result.structuredContent);
  const { outputSchema } = definition;
  if (outputSchema !== undefined) {
    const [issue] =
      structured === undefined
        ? [{ path: "", message: "it has no structured content" }]
        : checkJson(outputSchema, structured, CHECK_LIMITS);
    if (issue !== undefined) {
      note("mcp.result", structured ?? toBlocks(result));
      const where = [issue.path, issue.message].filter((part) => part !== "").join(" ");
      const why = "did its work, but its result does not fit its outputSchema";
      throw new ToolError("permanent", `${name} ${why}: ${where}`);
    }
  }
  if (structured === undefined) return { output: toBlocks(result) };
  const isSame = text === "" || isSameJson(text, structured);
  return isSame ? { output: structured } : { output: structured, digest: text };
}

/** Text blocks joined by a blank line; if there are other blocks, a list in which those have only their type and size. */
function toBlocks({ content }: CallToolResult): Json {
  if (content.every(({ type }) => type === "text"))
    return content.map((block) => (block.type === "text" ? block.text : "")).join("\n\n");
  return content.map((block): Json => {
    if (block.type === "text") return { type: "text", text: block.text };
    const inner = block.type === "resource" ? block.resource : block;
    const data = "data" in inner ? inner.data : "blob" in inner ? inner.blob : "text" in inner ? inner.text : "";
    const isBase64 = "data" in inner || "blob" in inner;
    const bytes = typeof data === "string" ? Buffer.byteLength(data, isBase64 ? "base64" : "utf8") : 0;
    const mimeType = "mimeType" in inner && typeof inner.mimeType === "string" ? inner.mimeType : "";
    return { type: block.type, mimeType, bytes };
  });
}

function isSameJson(text: string, structured: Json): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return text === structured;
  }
}
