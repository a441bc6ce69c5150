/**
 * Crew MCP: the MCP servers of a Baton's crews. The package is imported when the first crew with a server is read.
 */
import { readFile } from "node:fs/promises";
import type { MakeMcpTools } from "@baton/crewfile";
import type { ServerOptions } from "@baton/server";
import type { Environment } from "@baton/models";
import { BatonError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { importOptional } from "./optional-package.ts";

/** Options of the servers of crews. */
export interface CrewMcpOptions {
  /** The data folder; without it no process is recorded. */
  readonly data?: string | undefined;
  /** Tokens are kept in Postgres, so their key must not be in the data folder. */
  readonly isShared?: boolean;
  readonly env: Environment;
  /** A file whose calls are played instead of calling servers. */
  readonly cassette?: string | undefined;
  readonly warn: (text: string) => void;
}

const CALLBACK = "/api/mcp/callback";

type McpPackage = typeof import("@baton/mcp");
type McpHost = InstanceType<McpPackage["McpHost"]>;

/** Connections to servers; disposing ends them and their processes. */
export class CrewMcp implements AsyncDisposable {
  readonly #options: CrewMcpOptions;
  #opening: Promise<McpHost | undefined> | undefined;
  #host: McpHost | undefined;
  #address: string | undefined;

  constructor(options: CrewMcpOptions) {
    this.#options = options;
  }

  /** Makes the tools of servers; gives nothing if `@baton/mcp` is not installed. */
  readonly makeTools: MakeMcpTools = async (servers, lock) => {
    this.#opening ??= this.#open();
    const host = await this.#opening;
    if (host === undefined) return undefined;
    const { mcpTools } = await import("@baton/mcp");
    return mcpTools(servers, lock, host);
  };

  /** The host, once a crew with a server was read. */
  readonly host = (): McpHost | undefined => this.#host;

  /** Lets sign-ins come back to a server at this address. */
  takeCodesAt(url: string): void {
    this.#address = url;
  }

  /** The route that takes the codes of sign-ins, if `@baton/mcp` is installed. */
  async routes(): Promise<NonNullable<ServerOptions["routes"]>> {
    const module = await importOptional("@baton/mcp", () => import("@baton/mcp/callback"));
    return module === undefined ? [] : [module.callbackRoute(this.host)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opening)?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<McpHost | undefined> {
    const { data, isShared = false, env, warn, cassette: file } = this.#options;
    const module = await importOptional("@baton/mcp", () => import("@baton/mcp"));
    if (module === undefined) return undefined;
    const cassette = file === undefined ? undefined : module.parseCassette(await readCassette(file), file);
    const secrets = async () => {
      const { openSecretBox } = await import("@baton/mcp");
      return openSecretBox(isShared ? undefined : data, env);
    };
    const callbackUrl = () => (this.#address === undefined ? undefined : new URL(CALLBACK, this.#address).href);
    this.#host = new module.McpHost({ warn, secrets, callbackUrl, ...omitUndefined({ data, cassette }) });
    return this.#host;
  }
}

function readCassette(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw new BatonError("invalid", `--cassette: ${file} cannot be read`);
  });
}
