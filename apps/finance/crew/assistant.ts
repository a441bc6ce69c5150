/**
 * The finance assistant's chat: what a page may say about itself, the sources of facts, and what every session receives.
 */
import { defineAssistant, memoryRoutes } from "@baton/assistant/chat";
import { z } from "zod";
import { toPictures } from "../answer/charts/svg/to-pictures.ts";
import { crewMarket, crewMeter, listenState, loadCrewMarket } from "./market.ts";
import { sourceRoutes } from "./source-route.ts";
import { toSources } from "./sources.ts";

const MAX_SYMBOLS = 50;
const MAX_SYMBOL_CHARS = 32;
const MAX_CURRENCY_CHARS = 8;

/** The part of the page that the user looks at while asking. */
const UI_CONTEXT = z.object({
  active_tab: z.enum(["stock", "crypto", "none"]).default("none"),
  recent_symbols: z.array(z.string().max(MAX_SYMBOL_CHARS)).max(MAX_SYMBOLS).default([]),
  preferred_quote_currency: z.string().max(MAX_CURRENCY_CHARS).exactOptional(),
});

export default defineAssistant({
  uiContext: UI_CONTEXT,
  meter: crewMeter,
  toSources,
  toPictures,
  thinkers: ["analyst", "planner", "runner", "reviewer"],
  routes: [...sourceRoutes(crewMarket), ...memoryRoutes()],
  check: async (place) => {
    listenState.listen(place, process.env);
    await loadCrewMarket();
  },
  disclaimer: {
    en: "This is information, not investment advice. Data may be delayed, old or incomplete; check it before you decide.",
    vi: "Đây là thông tin, không phải lời khuyên đầu tư. Dữ liệu có thể bị trễ, cũ hoặc thiếu; hãy kiểm tra trước khi quyết định.",
  },
});
