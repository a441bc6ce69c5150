/**
 * @baton/crewfile/mcp: the servers of a crew and baton.lock, for the package that talks to servers.
 */
export {
  findDamage,
  hashDefinition,
  hashTools,
  LOCK_FILE,
  type LockedServer,
  type McpDefinition,
  type McpLock,
  parseDefinition,
  parseLock,
  toMcpToolName,
  toTarget,
} from "./mcp-lock.ts";
export { effectOf, type McpOAuth, type McpServer, type McpServers } from "./mcp-server.ts";
export { type CrewServers, readCrewServers } from "./crew-servers.ts";
export { findUrlProblem } from "./mcp-fields.ts";
export { findHidden } from "../hidden-text.ts";
