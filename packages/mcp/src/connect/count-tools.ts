/**
 * Count tools: uses an entry of an MCP client's file as that client does, to see that it works.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";

const ADDRESS = z.looseObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() });
const COMMAND = z.looseObject({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const TIMEOUT_MS = 30_000;

/** The number of tools that the server of an entry offers. Throws if it does not answer; a process ends before. */
export async function countTools(entry: unknown): Promise<number> {
  const client = new Client({ name: "baton-connect", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await client.connect(toTransport(entry), { signal });
    return (await client.listTools({}, { signal })).tools.length;
  } finally {
    await client.close();
  }
}

function toTransport(entry: unknown) {
  const address = ADDRESS.safeParse(entry);
  if (address.success) {
    const { url, headers = {} } = address.data;
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  }
  const { command, args, env } = COMMAND.parse(entry);
  return new StdioClientTransport({ command, args, env: { ...getDefaultEnvironment(), ...env }, stderr: "inherit" });
}
