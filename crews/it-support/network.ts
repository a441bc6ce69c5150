/**
 * Network: whether a host has an address and answers.
 *
 * A host that does not answer is a result, not an error; a machine that cannot ask is an error.
 */
import { lookup } from "node:dns/promises";
import { ToolError } from "@baton/core";
import { toLevel } from "./level.ts";
import { runProgram } from "./program.ts";

/** The host, the number of packets and the time limit. */
interface PingCall {
  readonly host: string;
  readonly count: number;
  readonly abort: AbortSignal;
}

/** Two seconds for a reply, in the unit of this system's ping: an unreachable host ends within the tool's limit. */
const WAIT = process.platform === "darwin" ? "2000" : "2";

/** The addresses of a name, as this machine resolves it (its hosts file included). */
export async function resolveHost(hostname: string) {
  try {
    const addresses = await lookup(hostname, { all: true });
    return { hostname, addresses: addresses.map(({ address, family }) => ({ address, family: `IPv${family}` })) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTFOUND") throw new ToolError("permanent", `"${hostname}" has no address`, { cause: error });
    throw new ToolError("network", `the name server does not answer for "${hostname}"`, { cause: error });
  }
}

/** Sends echo requests to a host and counts the replies. */
export async function ping({ host, count, abort }: PingCall) {
  if (process.platform === "win32") throw new ToolError("permanent", "ping is supported on Linux and macOS only");
  const args = ["-n", "-c", String(count), "-W", WAIT, host];
  const { exitCode, stdout, stderr } = await runProgram({ program: "ping", args, abort });
  const statistics = parsePing(stdout);
  if (statistics === undefined) {
    throw new ToolError("permanent", `ping could not ask "${host}": ${stderr.trim() || `exit code ${exitCode}`}`);
  }
  return { host, reachable: statistics.received > 0, ...statistics };
}

/** A ping, judged by the replies that were lost. */
export async function judgeNetwork(call: PingCall) {
  const result = await ping(call);
  const level = toLevel(result.packet_loss_percent, { warning: 1, critical: 50 });
  const advice = {
    ok: "The host answers.",
    warning: "Some replies were lost: the line or the host is under strain.",
    critical: "The host answers rarely or not at all: it is off, blocked by a firewall, or the way there is broken.",
  }[level];
  return { level, advice, ...result };
}

/** Reads the statistics that the pings of Linux, BusyBox and macOS write at their end. */
export function parsePing(output: string) {
  const lines = output.split("\n");
  const counts = lines.find((line) => line.includes("packets transmitted"))?.split(", ");
  const sent = Number.parseInt(counts?.[0] ?? "", 10);
  const received = Number.parseInt(counts?.[1] ?? "", 10);
  if (!(sent > 0) || Number.isNaN(received)) return undefined;
  const times = lines
    .find((line) => line.includes("min/avg/max"))
    ?.split("= ")[1]
    ?.split("/");
  return {
    sent,
    received,
    packet_loss_percent: Math.round((1_000 * (sent - received)) / sent) / 10,
    average_ms: times?.[1] === undefined ? null : Number(times[1]),
  };
}
