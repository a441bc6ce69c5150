/**
 * Quoted texts: what of a prompt was written by strangers, or may have been: words of sources, errors, what is kept of
 * the user and the conversation, earlier answers, pictures' texts and pasted tables. Its numbers are nobody's facts.
 */
import { imageTexts } from "@baton/assistant";
import type { Json, Message, Prompt } from "@baton/core";
import { z } from "zod";
import { findTable } from "../../intent/wishes/pasted-table.ts";

const KEPT = ["profile", "working", "summary"] as const;
const FACT_LINE = /^f\d[\w./-]* /;

/** The texts of strangers in a prompt. */
export function quotedTexts({ values, messages }: Pick<Prompt, "values" | "messages">): readonly string[] {
  const state = Array.from(values).flatMap(([key, value]) => {
    if (key.startsWith("digest/")) return [withoutFacts(toText(value))];
    return key === "failures" || KEPT.some((name) => name === key) ? [toText(value)] : [];
  });
  return [...state, ...messages.flatMap(inMessage)];
}

/** Lines of facts are what figures are held against. */
function withoutFacts(digest: string): string {
  return digest
    .split("\n")
    .filter((line) => !FACT_LINE.test(line))
    .join("\n");
}

function inMessage(message: Message): readonly string[] {
  if (message.role !== "user") return message.role === "system" ? [] : [message.content];
  const table = findTable(message.content);
  const alts = (message.images ?? []).flatMap(({ altText }) => altText ?? []);
  return [...alts, ...imageTexts(message.content), ...(table === undefined ? [] : [table.csv])];
}

const toText = (value: Json | undefined): string => z.string().safeParse(value).data ?? JSON.stringify(value ?? "");
