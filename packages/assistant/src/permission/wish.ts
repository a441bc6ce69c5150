/**
 * Wish: a tool that changes what is kept for a user is called only if the user's own words ask for that; else a person
 * is asked.
 *
 * The run's state `intent` lists as `effects` which kinds of change the question asks for. What is written must come
 * from the user's words too, so that a headline cannot add to a change that the user did ask for.
 */
import type { Json, Permission, Tool } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { assistantState } from "../run-state.ts";
import { isOwn, type OwnOf, ownTexts } from "./own-words.ts";

/** Options of `withWish`. */
export interface Wish {
  /** One of the kinds that `effects` of the intent may list, such as `memory`. */
  readonly kind: string;
  /** Arguments that must be made of the user's words and numbers. */
  readonly from?: readonly string[];
  /** Arguments that must be in a message of the user exactly, such as a pasted table. */
  readonly verbatim?: readonly string[];
  /** A message without what the user only quotes or pastes; by default all of it is the user's. */
  readonly ownOf?: OwnOf;
}

/** The tool, which asks a person unless the user wished for what it does. */
export function withWish(tool: Tool, wish: Wish): Tool {
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, context): Promise<Permission> => {
      const inner: Permission = (await tool.permission?.(args, context)) ?? { decision: "allow" };
      if (inner.decision === "deny" || inner.decision === "ask") return inner;
      const reason = findDoubt(args, wish, context);
      return reason === undefined ? inner : { decision: "ask", reason };
    },
  });
}

/** Why a person should look at the call; undefined if the user's words ask for it. */
function findDoubt(
  args: Json,
  { kind, from = [], verbatim = [], ownOf }: Wish,
  { state, messages }: AskingContext,
): string | undefined {
  const intent = assistantState.get({ state }, "intent");
  if (intent?.effects.includes(kind) !== true) return `your message did not ask for a change of ${kind}`;
  const said = { state, messages };
  const own = ownTexts(said, ownOf);
  const foreign =
    from.find((name) => !isOwn(lookInto(args, name), own)) ??
    verbatim.find((name) => !stands(lookInto(args, name), ownTexts(said)));
  return foreign === undefined ? undefined : `\`${foreign}\` is not what you wrote`;
}

function stands(value: Json | undefined, texts: readonly string[]): boolean {
  return value === undefined || (typeof value === "string" && texts.some((text) => text.includes(value.trim())));
}
