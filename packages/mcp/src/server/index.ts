/**
 * Crews as an MCP server: the routes that the composition root mounts, and the same over standard input and output.
 */
export { mcpRoutes, type McpRoutesOptions } from "./mcp-routes.ts";
export { serveStdio, type StdioOptions } from "./serve-stdio.ts";
