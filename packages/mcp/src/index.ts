/**
 * MCP for crews: what an application imports.
 */
export type { McpRoutesOptions } from "./server/index.ts";
