/**
 * Run row: one run of the list; the whole row is a link to it.
 */
import type { RunInfo } from "@baton/client";
import { useApp } from "../app-context.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { statusMarkOf, StatusMark } from "../ui/status-mark.tsx";
import { describedBy } from "../ui/layers/tooltip.tsx";

interface RunRowProps {
  readonly run: RunInfo;
  readonly now: number;
}

/** One run. */
export function RunRow({ run, now }: RunRowProps) {
  const { words, format } = useApp();
  const { runs: say } = words.lists;
  const { id, crew, input, error, forked_from, after_of, agent_calls, tokens, cost_usd, created_at } = run;
  const at = Date.parse(created_at);
  const mark = statusMarkOf(run);
  const reason = STOPPED.includes(error?.message ?? "") ? undefined : error?.message;
  return (
    <li>
      <PageLink to={{ page: "run", id }} className="runs-row">
        <StatusMark mark={mark} />
        <span className="runs-crew">{crew}</span>
        <span className="runs-input">
          <span className={after_of === undefined ? "" : "runs-follows"}>
            {after_of !== undefined ? say.follows(shortOf(after_of)) : input === "" ? say.noInput : input}
          </span>
          {forked_from !== undefined && <small>{say.from(shortOf(forked_from.run))}</small>}
          {reason !== undefined && <small className={`runs-reason ${mark}`}>{reason}</small>}
        </span>
        <span className="runs-number runs-turns">{words.run.turns(agent_calls)}</span>
        <span className="runs-number runs-tokens">
          {words.run.inOut(format.number(tokens.input), format.number(tokens.output))}
        </span>
        <span className="runs-number runs-cost">{format.money(cost_usd)}</span>
        <span className="runs-number runs-time">{format.duration(run.active_ms ?? run.duration_ms)}</span>
        <time dateTime={created_at} {...describedBy(format.exact(at))}>
          {format.ago(at, now)}
        </time>
      </PageLink>
    </li>
  );
}

/** Reasons that say no more than that the run was stopped. */
const STOPPED: readonly string[] = ["cancelled by command", "stopped in the console"];
const SHORT_CHARS = 12;

function shortOf(id: string): string {
  return `req-${id.replaceAll("-", "").slice(-SHORT_CHARS)}`;
}
