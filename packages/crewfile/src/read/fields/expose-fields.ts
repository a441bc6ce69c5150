/**
 * Expose fields: `expose` of crew.yaml, the crew as a tool of other programs.
 */
import type { Json } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { type Cursor, entryAt, report, toFieldName } from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";
import { readSchema } from "./schema-fields.ts";

/** A crew as a tool of other programs; what is left out follows from the crew. */
export interface CrewExposure {
  /** Its name as a tool. Default: its id. */
  readonly name?: string;
  /** JSON Schema of the arguments, which become the run's `options`. Default: `input` and `session_id`. */
  readonly input?: Readonly<Record<string, Json>>;
  /** Whether a call is a task: after 10 seconds (`auto`, the default), never, or at once. */
  readonly task?: "auto" | "never" | "prefer" | "required";
  /** False hides it. */
  readonly visible?: boolean;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TASKS = ["auto", "never", "prefer", "required"] as const;

/** Reads `expose`. */
export function readExposeFields(cursor: Cursor): CrewExposure {
  const fields = new Fields(cursor);
  const name = fields.text("name");
  const named = fields.get("name");
  if (named !== undefined && name !== undefined && !NAME.test(name))
    report(named, {
      code: "invalid_value",
      message: `${toFieldName(named)} is not a valid name of a tool`,
      fix: "write at most 64 letters, digits, - and _",
    });
  const schema = fields.get("input");
  const input = schema && readSchema(schema);
  const type = schema && entryAt(schema, "type");
  if (type !== undefined && input?.["type"] !== "object")
    report(type, {
      code: "invalid_schema",
      message: "the arguments of a tool are an object",
      fix: "write `type: object`",
    });
  const exposure = omitUndefined({ name, input, task: fields.choice("task", TASKS), visible: fields.flag("visible") });
  fields.end();
  return exposure;
}
