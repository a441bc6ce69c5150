/**
 * Socket message: one text of a client, read as an op.
 */
import { z } from "zod";
import { parseJsonText } from "../gateway/input/body.ts";
import { invalid, type Problem } from "../gateway/problem.ts";
import { toProblem } from "../gateway/to-problem.ts";
import type { OpMessage } from "./socket-ops.ts";

/** A message that names an op. */
export interface SocketMessage {
  readonly op: string;
  readonly message: OpMessage;
}

/** A message that is not valid; `id` is null if it has none. */
export interface SocketFault {
  readonly id: string | null;
  readonly problem: Problem;
}

const MAX_ID_CHARS = 64;
const NAMED = z.looseObject({ id: z.string().min(1).max(MAX_ID_CHARS) });

/** Reads a message, given the names of the ops. */
export function readMessage(text: string, ops: ReadonlySet<string>): SocketMessage | SocketFault {
  let value: unknown;
  try {
    value = parseJsonText(text, "message");
  } catch (error) {
    return { id: null, problem: toProblem(error) };
  }
  const named = NAMED.safeParse(value);
  if (!named.success) {
    const message = `must be a text of 1 to ${MAX_ID_CHARS} characters`;
    return { id: null, problem: invalid([{ field: "id", message }]) };
  }
  const { op, ...message } = named.data;
  if (typeof op === "string" && ops.has(op)) return { op, message };
  const problem = invalid([{ field: "op", message: `must be one of ${[...ops].join(", ")}` }]);
  return { id: message.id, problem };
}
