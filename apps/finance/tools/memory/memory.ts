/**
 * Memory tools: those with which agents save and find what is kept of a user and of conversations.
 */
import { lookInto } from "@baton/core/util";
import { listedItems } from "../frame/listed-items.ts";
import { defineMemoryTools } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { CatalogueTool, ToolCard } from "../frame/market-tool.ts";

function defineMemory({ category = "memory", ...card }: Omit<ToolCard, "category"> & Partial<ToolCard>): CatalogueTool {
  const open = (): Tool => {
    const tool = defineMemoryTools().find(({ name }) => name === card.name);
    if (tool === undefined) throw new RangeError(`@baton/assistant has no tool ${card.name}`);
    return tool;
  };
  return { ...card, category, open };
}

/** Remembers something about the user. */
export const saveToMemoryTool = defineMemory({
  name: "saveToMemory",
  wish: { want: "save_memory", from: ["content"] },
});

/** Finds earlier messages. */
export const recallMemoryTool = defineMemory({
  name: "recallMemory",
});

/** Finds what is remembered. */
export const searchMemoryTool = defineMemory({
  name: "searchMemory",
  isCommon: true,
});

/** Forgets what is remembered. */
export const forgetMemoryTool = defineMemory({
  name: "forgetMemory",
  wish: {
    want: "delete_memory",
    from: ["query"],
    asksAlways: (args) => lookInto(args, "entries") !== undefined && listedItems(args, "entries").length !== 1,
  },
  category: "beyond",
});
