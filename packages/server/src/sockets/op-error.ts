/**
 * Op error: why an op was refused, with the codes of HTTP.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { FieldProblem, Problem } from "../gateway/problem.ts";

/** The `error` of a reply. */
export interface OpErrorView {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly problems?: readonly FieldProblem[];
  readonly retry_after_s?: number;
}

const PROBLEM = z.object({
  code: z.string(),
  detail: z.string(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
});

/** A refusal of the route behind an op. */
export class RefusedOp extends Error {
  override readonly name = "RefusedOp";
  readonly view: OpErrorView;

  constructor(view: OpErrorView) {
    super(view.detail);
    this.view = view;
  }
}

/** The refusal that an HTTP answer is. */
export async function toRefusedOp(answer: Response): Promise<RefusedOp> {
  const { status, headers } = answer;
  const body = PROBLEM.safeParse(await answer.json().catch(() => undefined));
  const { code, detail, problems } = body.data ?? { code: "internal", detail: answer.statusText, problems: [] };
  return new RefusedOp(toView({ status, code, detail, problems, retryAfter: headers.get("retry-after") }));
}

/** A problem as the error of a reply. */
export function viewOf({ status, code, detail, problems, headers }: Problem): OpErrorView {
  return toView({ status, code, detail, problems, retryAfter: headers["Retry-After"] ?? null });
}

type Refusal = Omit<OpErrorView, "retry_after_s" | "problems"> & {
  readonly problems: readonly FieldProblem[];
  readonly retryAfter: string | null;
};

function toView({ problems, retryAfter, ...view }: Refusal): OpErrorView {
  return {
    ...view,
    ...omitUndefined({
      problems: problems.length === 0 ? undefined : problems,
      retry_after_s: retryAfter === null ? undefined : Number(retryAfter),
    }),
  };
}
