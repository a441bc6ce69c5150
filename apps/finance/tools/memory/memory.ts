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
  says: `remember this about me; note my preference; keep in mind that I; save to memory; call me by my name;
    nhớ giúp tôi; ghi nhớ sở thích của tôi; lưu lại điều này; lưu ý rằng tôi thích hoặc không thích; từ nay gọi tôi là`,
});

/** Finds earlier messages. */
export const recallMemoryTool = defineMemory({
  name: "recallMemory",
  says: `what did we talk about; what did I ask before; what we discussed on that day; earlier conversation;
    last week's messages; hôm trước tôi hỏi gì; chúng ta đã nói về gì; tin nhắn trước đây`,
});

/** Finds what is remembered. */
export const searchMemoryTool = defineMemory({
  name: "searchMemory",
  isCommon: true,
  says: `what do you know about me; what do you remember about me; my preferences and goals; what kind of investor am I;
    bạn nhớ gì về tôi; sở thích đầu tư của tôi; tôi đã nói gì về mình`,
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
  says: `forget what you know about me; delete a memory; remove what you remembered; do not remember that;
    quên điều đó đi; xóa ghi nhớ; đừng nhớ nữa`,
});
