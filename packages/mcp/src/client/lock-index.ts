/**
 * @baton/mcp/lock: what a server says now, compared with what is locked of it.
 */
export { type DefinitionChange, findDrift, type ToolDrift } from "./drift.ts";
export { inspectServer, type InspectedServer, toLockedServer, toLockText } from "./inspect-server.ts";
