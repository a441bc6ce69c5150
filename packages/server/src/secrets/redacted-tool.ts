/**
 * Redacted tool: a tool that tells no secrets, whatever the service behind it repeats of what it was called with.
 *
 * What it says of a failure or a refusal passes the redactor. In outputs, digests, notes, progress and state only the
 * secrets that the server was given are hidden: what merely looks like a key may be what was asked for.
 */
import { type CallContext, type Json, type Permission, suspend, type Tool, ToolError } from "@baton/core";
import type { SuspendOptions } from "@baton/core/ports";
import { isSuspension } from "@baton/core/util";
import { type Redact, toRedactedMessage } from "./redact.ts";

/** Removes secrets from error messages and from results of calls. */
export interface SecretRedaction {
  readonly redact: Redact;
  readonly hide: Redact;
}

type Prepared = Awaited<ReturnType<Tool["prepare"]>>;

/** The same tool; nothing that it tells has a secret. */
export function toRedactedTool(tool: Tool, redaction: SecretRedaction): Tool {
  const { redact } = redaction;
  const { permission, digest } = tool;
  return Object.freeze<Tool>({
    ...tool,
    prepare: (args) =>
      guarded(
        redact,
        () => tool.prepare(args),
        (prepared) => toPrepared(prepared, redaction),
      ),
    ...(permission === undefined
      ? {}
      : {
          permission: (args, asking) =>
            guarded(
              redact,
              () => permission(args, asking),
              (said) => toPermission(said, redact),
            ),
        }),
    ...(digest === undefined ? {} : { digest: (output, made) => toDigest(() => digest(output, made), redaction) }),
  });
}

function toDigest(make: () => string | undefined, { redact, hide }: SecretRedaction): string | undefined {
  try {
    const digest = make();
    return digest === undefined ? undefined : hide(digest);
  } catch (thrown) {
    throw toRedactedError(thrown, redact);
  }
}

/** Maps the work's value, synchronously if the work is synchronous; errors have no secrets. */
function guarded<T, R>(redact: Redact, work: () => T | Promise<T>, to: (value: T) => R): R | Promise<R> {
  try {
    const value = work();
    if (!isThenable(value)) return to(value);
    return Promise.resolve(value).then(to, (thrown: unknown) => {
      throw toRedactedError(thrown, redact);
    });
  } catch (thrown) {
    throw toRedactedError(thrown, redact);
  }
}

/** Builders of queries, for one, are awaited and no promises. */
function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "then" in value;
}

function toPrepared(prepared: Prepared, { redact, hide }: SecretRedaction): Prepared {
  if (!prepared.ok) {
    return { ok: false, issues: prepared.issues.map((issue) => ({ ...issue, message: redact(issue.message) })) };
  }
  const run = (context: CallContext) =>
    guarded(
      redact,
      () => prepared.run(toContext(context, hide)),
      (output) => (isSuspension(output) ? suspend(hideInOptions(output.options, hide)) : hideIn(output, hide)),
    );
  return { ok: true, run };
}

function hideInOptions(options: SuspendOptions, hide: Redact): SuspendOptions;
function hideInOptions(options: SuspendOptions, hide: Redact): unknown {
  return hideIn(options, hide);
}

function toContext(context: CallContext, hide: Redact): CallContext {
  const { state, progress, note } = context;
  return {
    ...context,
    state: { ...state, set: (key, value) => state.set(key, hideIn(value, hide)) },
    progress: (value) => progress(hideIn(value, hide)),
    note: (kind, data) => note(hide(kind), hideIn(data, hide)),
  };
}

function toPermission(permission: Permission, redact: Redact): Permission {
  if (!("reason" in permission) || permission.reason === undefined) return permission;
  return { ...permission, reason: redact(permission.reason) };
}

/** An error stays what it is, so that the call is tried again or not as before. */
function toRedactedError(thrown: unknown, redact: Redact): unknown {
  const said = toRedactedMessage(thrown, redact);
  if (said === undefined) return thrown;
  if (!(thrown instanceof Error)) return new ToolError("crash", said);
  const { name } = thrown;
  const code = "code" in thrown ? thrown.code : undefined;
  // Some errors of the platform let only themselves be asked for these.
  const error: unknown = Object.create(thrown, {
    message: { value: said },
    name: { value: name },
    code: { value: code },
  });
  return error;
}

/** The value itself if it has no secret, so that most are not copied. */
function hideIn<T>(value: T, hide: Redact): T | Json {
  if (typeof value === "string") return hide(value);
  if (typeof value !== "object" || value === null) return value;
  const text = toText(value);
  if (hide(text) === text) return value;
  return hideInJson(JSON.parse(text), hide);
}

function hideInJson(value: unknown, hide: Redact): Json {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((item: unknown) => hideInJson(item, hide));
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [hide(key), hideInJson(item, hide)] as const),
  );
}

/** A value that is not JSON is refused by its receiver. */
function toText(value: object): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
