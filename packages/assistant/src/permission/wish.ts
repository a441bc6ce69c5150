/**
 * Wish: a tool that changes what is kept for a user runs without asking only if the user's message asks for that change
 * and its arguments are the user's own words; else it is postponed, and a person is asked once the answer is written.
 *
 * The run's state `intent` lists as `wants` which changes the message asks for, as a model understood it. A model may have
 * been told by a headline what to understand, so what is written must also be in the message itself.
 */
import type { Json, Permission, Tool } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { assistantState } from "../run-state.ts";
import { isOwn } from "./own-words.ts";

/** Options of `withWish`. */
export interface Wish {
  /** The change that `wants` must name; of some tools it depends on the arguments. */
  readonly want: string | ((args: Json) => string);
  /** Arguments that must be made of the user's words and numbers, as paths into lists and objects (`holdings.quantity`). */
  readonly from?: readonly string[];
  /** Arguments that name symbols: these must be among those that the user's words name. */
  readonly symbols?: readonly string[];
  /** Arguments that must be in the message exactly, such as a pasted table. */
  readonly verbatim?: readonly string[];
  /** Why the call cannot succeed, such as a symbol that is not known: then nobody is asked, and the model is told. */
  readonly findProblem?: (args: Json) => Promise<string | undefined>;
  /** Whether a person is always asked, such as for deleting more than one thing. */
  readonly asksAlways?: (args: Json) => boolean;
}

/** The tool, which changes nothing without a person's yes unless the user wished for what it does. */
export function withWish(tool: Tool, wish: Wish): Tool {
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, context): Promise<Permission> => {
      const inner: Permission = (await tool.permission?.(args, context)) ?? { decision: "allow" };
      if (inner.decision === "deny" || inner.decision === "ask") return inner;
      const reason = findDoubt(args, wish, context);
      if (reason === undefined) return inner;
      const problem = await wish.findProblem?.(args);
      if (problem !== undefined) return { decision: "deny", reason: problem };
      return isConfirming(context)
        ? { decision: "ask", reason: `${reason}: ${tool.name}` }
        : { decision: "deny", reason: POSTPONED };
    },
  });
}

/** The text by which a model, and `withConfirmSignal`, know that a change waits. */
export const POSTPONED =
  "the user is asked about this change after your answer: answer the rest, and say that it waits";

const isConfirming = ({ state }: AskingContext): boolean => assistantState.get({ state }, "confirming");

const DOUBTS = {
  en: {
    several: "This changes more than one thing",
    unasked: "Your message did not ask for this change",
    foreign: "is not what you wrote",
  },
  vi: {
    several: "Thay đổi này ảnh hưởng đến nhiều mục",
    unasked: "Tin nhắn của bạn không yêu cầu thay đổi này",
    foreign: "không phải là điều bạn đã viết",
  },
} as const;

/** Why a person should look at the call, in Vietnamese or English; undefined if the user's words ask for it. */
function findDoubt(args: Json, wish: Wish, { state }: AskingContext): string | undefined {
  const { from = [], symbols = [], verbatim = [] } = wish;
  const want = typeof wish.want === "string" ? wish.want : wish.want(args);
  const { wants, response_language: language } = assistantState.get({ state }, "intent") ?? { wants: [] };
  const say = DOUBTS[language?.startsWith("vi") === true ? "vi" : "en"];
  if (wish.asksAlways?.(args) === true) return say.several;
  if (!wants.includes(want)) return say.unasked;
  const question = assistantState.get({ state }, "question");
  const named = new Set(assistantState.get({ state }, "own_symbols"));
  const foreign =
    symbols.find(
      (path) => !valuesAt(args, path).every((symbol) => typeof symbol === "string" && isNamed(symbol, named)),
    ) ??
    from.find((path) => !valuesAt(args, path).every((value) => isOwn(value, question))) ??
    verbatim.find((path) => !valuesAt(args, path).every((value) => stands(value, question)));
  return foreign === undefined ? undefined : `\`${foreign}\` ${say.foreign}`;
}

const isNamed = (symbol: string, named: ReadonlySet<string>): boolean => named.has(symbol.trim().toUpperCase());

/** The values at a path; a list on the way gives those of all its items. */
function valuesAt(args: Json, path: string): readonly Json[] {
  return path.split(".").reduce<readonly Json[]>(
    (values, name) =>
      values
        .flatMap((value) => toItems(value))
        .flatMap((item) => lookInto(item, name) ?? [])
        .flatMap(toItems),
    [args],
  );
}

const toItems = (value: Json): readonly Json[] => {
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  return items;
};

function stands(value: Json, text: string): boolean {
  return typeof value === "string" && text.includes(value.trim());
}
