/**
 * Service: whether a service of this machine runs.
 *
 * Asks systemd where it is in charge, else looks for a process of that name.
 */
import { ToolError } from "@baton/core";
import { runProgram, type ProgramResult } from "./program.ts";

const MAX_PROCESSES = 5;

/** The state of a service, and the source of that. */
interface ServiceStatus {
  readonly service: string;
  readonly running: boolean;
  readonly state: string;
  readonly source: "systemctl" | "pgrep";
}

/** The status of a service on this machine. */
export async function checkService(service: string, abort: AbortSignal): Promise<ServiceStatus> {
  const systemd = await runProgram({ program: "systemctl", args: ["is-active", service], abort }).catch(orMissing);
  const state = systemd?.stdout.trim() ?? "";
  // Without systemd in charge, systemctl complains on stderr and names no state.
  if (state !== "" && state !== "unknown" && state !== "offline") {
    return { service, running: state === "active", state, source: "systemctl" };
  }
  // By its beginning: the process of the service "mysql" is called "mysqld".
  const found = await runProgram({ program: "pgrep", args: ["-l", `^${service}`], abort }).catch(orMissing);
  if (found === undefined || found.exitCode > 1) {
    throw new ToolError("permanent", `neither systemctl nor pgrep can tell on this machine whether "${service}" runs`);
  }
  const processes = found.stdout.split("\n").filter((line) => line !== "");
  const shown = processes.slice(0, MAX_PROCESSES).join(", ");
  return { service, running: processes.length > 0, state: shown || "no process of that name", source: "pgrep" };
}

/** A program that is missing is no failure here: another one may know. */
function orMissing(error: unknown): ProgramResult | undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}
