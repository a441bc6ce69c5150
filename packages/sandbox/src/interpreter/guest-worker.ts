/**
 * Guest worker: the thread in which instances run, one after the other, each new.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Guest } from "./guest.ts";
import type { GuestSettle, GuestStart, GuestStep } from "./guest-message.ts";
import { stripTypes } from "./source.ts";

/** Answers one message after the other. */
function serve(port: MessagePort, wasm: WebAssembly.Module): void {
  let guest: Guest | undefined;
  const answer = async (message: GuestStart | GuestSettle): Promise<GuestStep> => {
    if (message.type === "settle") return guest?.settle(message) ?? { calls: [] };
    guest?.dispose();
    guest = await Guest.create(wasm, message);
    return guest.begin();
  };
  const crash = (error: unknown) => {
    queueMicrotask(() => {
      throw error;
    });
  };
  port.on("message", (message: GuestStart | GuestSettle) => {
    answer(message).then((step) => port.postMessage(step), crash);
  });
}

const data: unknown = workerData;
if (parentPort !== null && data instanceof WebAssembly.Module) serve(parentPort, data);
// The first use of the stripper takes long: while the worker is kept warm, nothing waits for it.
stripTypes("");
