/**
 * MCP for crews: what an application imports. The SDK is loaded with the first call of a server.
 */
export { type Cassette, parseCassette, type RecordedMcpCall } from "./client/cassette.ts";
export { McpHost, type McpHostOptions } from "./client/mcp-host.ts";
export { mcpTools } from "./client/mcp-tools.ts";
export { openSecretBox, SecretBox } from "./client/sign-in/secret-box.ts";
export type { McpRoutesOptions } from "./server/index.ts";
