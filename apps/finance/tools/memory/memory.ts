/**
 * Memory tools: the three of the catalogue with which agents save and find what is kept of a user and of conversations.
 */
import { defineMemoryTools } from "@baton/assistant";
import type { CatalogueEntry } from "../frame/market-tool.ts";

/** Everyday phrases for each tool, English and Vietnamese. */
const PHRASES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "saveToMemory",
    [
      "remember this about me",
      "note my preference",
      "keep in mind that I",
      "save to memory",
      "call me by my name",
      "nhớ giúp tôi",
      "ghi nhớ sở thích của tôi",
      "lưu lại điều này",
      "lưu ý rằng tôi thích hoặc không thích",
      "từ nay gọi tôi là",
    ],
  ],
  [
    "recallMemory",
    [
      "what did we talk about",
      "what did I ask before",
      "what we discussed on that day",
      "earlier conversation",
      "last week's messages",
      "hôm trước tôi hỏi gì",
      "chúng ta đã nói về gì",
      "tin nhắn trước đây",
    ],
  ],
  [
    "searchMemory",
    [
      "what do you know about me",
      "what do you remember about me",
      "my preferences and goals",
      "what kind of investor am I",
      "bạn nhớ gì về tôi",
      "sở thích đầu tư của tôi",
      "tôi đã nói gì về mình",
    ],
  ],
]);

/** The tools of memory that agents are offered. */
export function memoryTools(): readonly CatalogueEntry[] {
  return defineMemoryTools().flatMap((tool) => {
    const phrases = PHRASES.get(tool.name);
    return phrases === undefined ? [] : [{ tool, category: "memory" as const, isCore: true, phrases }];
  });
}
