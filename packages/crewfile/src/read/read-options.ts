/**
 * Read options: what reading a crew depends on beside its files.
 */
import type { Effect, Tool } from "@baton/core";
import type { Interpreter, Isolation, Level } from "@baton/core/ports";
import type { Variables } from "./env-file.ts";
import type { McpLock } from "./mcp/mcp-lock.ts";
import type { McpServers } from "./mcp/mcp-server.ts";
import type { ImportModule } from "./modules/import-file.ts";
import type { OnShutdown } from "./modules/tool-module.ts";

/** Options for reading a crew. */
export interface ReadOptions {
  /** Names of the model providers there are; `script` and `offline` always are. */
  readonly providers: readonly string[];
  /** Tools the caller brings; those of the crew's own tools.ts are added. */
  readonly tools?: readonly Tool[];
  readonly importModule?: ImportModule;
  /** Where isolated tools run; without it a crew that has such tools cannot run. */
  readonly threads?: ThreadPool;
  /** Levels for sandboxed tools; without the one that a tool asks for, its crew cannot run. */
  readonly levels?: readonly Level[];
  /** Opens what runs the code of agents with `tool_calls: code`; undefined from it means that it is not installed. */
  readonly interpreter?: () => Promise<Interpreter | undefined>;
  /** Where Baton keeps its data: no sandboxed tool sees it. */
  readonly dataFolder?: string;
  /** The version of the code that `importModule` gives, for threads. */
  readonly version?: CodeVersion;
  /** Makes the tools of a crew's MCP servers; undefined, or nothing from it, means that `@baton/mcp` is not installed. */
  readonly mcp?: MakeMcpTools;
  /** Makes the tools of other agents; undefined, or nothing from it, means that `@baton/a2a` is not installed. */
  readonly a2a?: MakeA2aTools;
  /** The variables that `mcp`, `a2a` and sandboxes of crew.yaml may name. Default: those of the process. */
  readonly env?: Variables;
}

/** Makes tools of servers from what is locked of them; contacts no server. */
export type MakeMcpTools = (
  servers: McpServers,
  lock: McpLock,
) => readonly Tool[] | undefined | Promise<readonly Tool[] | undefined>;

/** An agent of another system. */
export interface PartnerAgent {
  readonly url: string;
  readonly effect?: Effect;
  readonly token?: string;
}

/** Makes a tool for each agent of another system; contacts none. */
export type MakeA2aTools = (
  partners: Readonly<Record<string, PartnerAgent>>,
) => readonly Tool[] | undefined | Promise<readonly Tool[] | undefined>;

/** Where a thread finds a tool. */
export interface ToolSource {
  /** The file, absolute, whose default export has it. */
  readonly file: string;
  /** If the export is a crew or a list of them: the crew's name, then each step inside, `after` or `sub:NAME`. */
  readonly crew?: readonly string[];
  /** The code as it was read, if it is read again when it changes. */
  readonly version?: CodeVersion;
}

/** The modules of a crew's own code at one moment. */
export interface CodeVersion {
  readonly id: string;
  /** By their URLs, which carry the version. */
  readonly modules: ReadonlyMap<string, CodeText>;
}

/** The text of a module, and how to read it. */
export interface CodeText {
  readonly format: string;
  readonly source: string;
}

/** Where a tool's calls run; `auto` is decided when it is called. */
export type IsolationLevel = Isolation | "auto";

/** Moves the calls of a tool into threads; `ToolThreads` of `@baton/durable/threads` is one. */
export interface ThreadPool {
  /** The tool with every call at this level, which is not `inline`. */
  wrap(tool: Tool, source: ToolSource, level: IsolationLevel): Tool;
  /** A function that ends the code of a file where its calls ran: here, in its shared thread, or in both. */
  toShutdown?(source: ToolSource, own: OwnShutdown): OnShutdown;
}

/** The `onShutdown` of a file in this thread, and whether some of its tools always run here. */
export interface OwnShutdown {
  readonly hook: OnShutdown | undefined;
  readonly isUsedHere: boolean;
}
