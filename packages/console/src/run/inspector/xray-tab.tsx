/**
 * X-ray tab: what the model of a step was given, as blocks as wide as their tokens, where each came from, what was left
 * out, and what changed since the agent's last step.
 */
import type { CrewDetail, StepPrompt } from "@baton/client";
import { useEffect, useMemo, useState } from "react";
import { useApp } from "../../app-context.ts";
import type { AgentColors } from "../../graph/agent-color.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { StepSpan } from "../../store/story.ts";
import { type RequestState, useRequest } from "../../loading/use-request.ts";
import { shortPosition, stepBefore } from "../selection.ts";
import { compareXrays, type PromptChange, buildXray, type Xray } from "./xray.ts";
import { XrayBlockView, blockClass, OmittedPartView } from "./xray-block.tsx";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import "./xray-tab.css";

interface XrayTabProps {
  readonly store: RunStore;
  readonly step: StepSpan;
  readonly crew: CrewDetail | undefined;
  readonly colors: AgentColors;
  readonly onSelect: (position: string) => void;
}

/** While the playhead moves, prompts are not asked for. */
const REST_MS = 180;

/** The X-ray of a step. */
export function XrayTab({ store, step, crew, colors, onSelect }: XrayTabProps) {
  const { words } = useApp();
  const before = useMemo(() => stepBefore(store.story, step), [store, step]);
  const [rested] = useRested(step.step);
  const now = usePrompt(store.id, rested);
  const then = usePrompt(store.id, rested === step.step ? before?.step : undefined);
  if (now.state === "failed") {
    return (
      <div className="xray-failed" role="alert">
        <p>{words.runPage.xray.failed}</p>
        <p>{now.error.message}</p>
      </div>
    );
  }
  if (now.state === "loading" || rested !== step.step) return <XraySkeleton tokens={step.tokens} />;
  if (now.value === undefined) return null;
  const xray = buildXray(now.value, { id: step.agent });
  const was =
    then.state === "ready" && then.value !== undefined ? buildXray(then.value, { id: step.agent }) : undefined;
  const change = was === undefined ? undefined : compareXrays(was, xray);
  return (
    <div className="xray">
      <Bars xray={xray} agent={step.agent} colors={colors} />
      <Sum prompt={now.value} xray={xray} change={change} before={before} />
      <ul className="xray-blocks">
        {xray.blocks.map((block) => (
          <XrayBlockView
            key={block.key}
            block={block}
            agent={step.agent}
            colors={colors}
            crew={crew}
            change={change}
            story={store.story}
            onSelect={onSelect}
          />
        ))}
        {xray.leftOut.map((one) => (
          <OmittedPartView key={one.key} one={one} onSelect={onSelect} />
        ))}
      </ul>
    </div>
  );
}

function Bars({ xray, agent, colors }: Readonly<{ xray: Xray; agent: string; colors: AgentColors }>) {
  return (
    <div className="xray-bars" aria-hidden>
      {xray.blocks.map((block) => (
        <i
          key={block.key}
          className={`xray-bar ${blockClass(block, agent, colors)}`}
          style={{ flexGrow: Math.max(1, block.tokens) }}
        />
      ))}
      {xray.leftOut.length > 0 && <i className="xray-bar left-out" style={{ flexGrow: leftTokens(xray) }} />}
    </div>
  );
}

/** Omitted parts have a width, too; a small one if their tokens were not counted. */
function leftTokens({ leftOut, tokens }: Xray): number {
  return leftOut.reduce((sum, one) => sum + (one.tokens ?? 0), 0) || Math.max(1, tokens / 12);
}

interface SumProps {
  readonly prompt: StepPrompt;
  readonly xray: Xray;
  readonly change: PromptChange | undefined;
  readonly before: StepSpan | undefined;
}

function Sum({ prompt, xray, change, before }: SumProps) {
  const { words, format } = useApp();
  const { xray: say } = words.runPage;
  const { number } = format;
  const left = xray.leftOut.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
  const { window } = prompt;
  const text = left > 0 ? say.sentOf(number(xray.tokens + left)) : say.sent;
  return (
    <p className="xray-sum">
      <span
        {...describedBy(
          window === undefined ? undefined : say.window(format.share(xray.tokens / window), number(window)),
        )}
      >
        <strong data-tokens={xray.tokens}>{number(xray.tokens)}</strong> {text}
      </span>
      <span>
        {change === undefined || before === undefined
          ? before === undefined && say.firstStep
          : say.since(change.added.size, change.removed, shortPosition(before.step))}
      </span>
    </p>
  );
}

/** Of the size that the prompt will have. */
function XraySkeleton({ tokens }: { readonly tokens: number | undefined }) {
  return (
    <div className="xray xray-skeleton" aria-hidden>
      <div className="xray-bars">
        <i className="xray-bar" style={{ flexGrow: 1 }} />
      </div>
      <p className="xray-sum">{tokens ?? ""}</p>
    </div>
  );
}

function usePrompt(run: string, step: string | undefined): RequestState<StepPrompt | undefined> {
  const { client } = useApp();
  return useRequest(`${run} ${step ?? ""}`, () =>
    step === undefined ? Promise.resolve(undefined) : client.prompt(run, step),
  );
}

/** A value once it has not changed for a moment; the first one at once. */
function useRested(value: string): readonly [string] {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (rested === value) return undefined;
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value, rested]);
  return [rested];
}
