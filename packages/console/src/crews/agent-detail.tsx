/**
 * Agent detail: one agent of a crew: its prompt, model, skills, tools with their servers, effects and permissions, and
 * its signals.
 */
import type { AgentInfo, CrewDetail } from "@baton/client";
import type { ReactNode } from "react";
import { useApp } from "../app-context.ts";
import { type AgentColors, colorClass, initialOf } from "../graph/agent-color.ts";
import { toAgentNames } from "../graph/agent-names.ts";
import { CopyButton } from "../ui/copy-button.tsx";

interface AgentDetailProps {
  readonly crew: CrewDetail;
  readonly agent: AgentInfo;
  readonly colors: AgentColors;
}

/** All there is to know of an agent. */
export function AgentDetail({ crew, agent, colors }: AgentDetailProps) {
  const { words } = useApp();
  const { crew: say, xray } = words.runPage;
  const {
    id,
    name,
    role,
    description,
    model,
    prompt_at: at,
    system_prompt: prompt,
    audience,
    terminal,
    pause,
    skills = [],
  } = agent;
  const place = at === undefined ? undefined : `${at.file}:${at.line}`;
  const facts = [say.audience[audience], ...(terminal ? [say.terminal] : []), ...(pause ? [say.pause] : [])];
  return (
    <section className={`crew-part crew-agent ${colorClass(colors, id)}`} aria-label={name}>
      <header>
        <span className="crew-badge" aria-hidden>
          {initialOf(name)}
        </span>
        <h2>{name}</h2>
        <span className="crew-quiet">{[id, role].filter((part) => part !== "" && part !== name).join(", ")}</span>
      </header>
      <p>{description}</p>
      <dl className="crew-facts">
        <Fact name={say.model}>{model ?? say.serverModel}</Fact>
        <Fact name={say.conduct}>{facts.join(", ")}</Fact>
        {skills.length > 0 && <Fact name={say.skills}>{skills.join(", ")}</Fact>}
      </dl>
      <h3>
        {say.prompt} {place !== undefined && <code>{place}</code>}
        {place !== undefined && <CopyButton text={place} label={xray.copyPlace} />}
      </h3>
      {prompt === "" ? (
        <p className="crew-quiet">{say.noPrompt}</p>
      ) : (
        <pre className="crew-prompt" tabIndex={0} role="region" aria-label={say.prompt}>
          {prompt}
        </pre>
      )}
      <AgentTools crew={crew} names={agent.tools} />
      <AgentSignals crew={crew} agent={id} />
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function AgentTools({ crew, names }: { readonly crew: CrewDetail; readonly names: readonly string[] }) {
  const { words } = useApp();
  if (names.length === 0) return null;
  return (
    <>
      <h3>{words.runPage.crew.tools}</h3>
      <ToolList crew={crew} names={names} />
    </>
  );
}

/** Tools with what they do to the world, and whether they ask. */
export function ToolList({ crew, names }: { readonly crew: CrewDetail; readonly names: readonly string[] }) {
  const { words } = useApp();
  const { crew: say } = words.runPage;
  const tools = new Map(crew.tools.map((tool) => [tool.name, tool]));
  const effects = new Map(Object.entries(say.effects));
  const permissions = new Map(Object.entries(crew.permissions));
  return (
    <ul className="crew-tools">
      {names.map((name) => {
        const tool = tools.get(name);
        const effect = tool?.effect ?? "read";
        const permission = permissions.get(name) ?? permissions.get("*");
        return (
          <li key={name}>
            <code>{name}</code>
            {tool?.server !== undefined && <span className="crew-effect">{say.server(tool.server)}</span>}
            <span className={`crew-effect ${effect}`}>{effects.get(effect) ?? effect}</span>
            {permission !== undefined && (
              <span className={`crew-effect ${permission}`}>{say.permission[permission]}</span>
            )}
            <p>{tool?.description}</p>
          </li>
        );
      })}
    </ul>
  );
}

function AgentSignals({ crew, agent }: { readonly crew: CrewDetail; readonly agent: string }) {
  const { words } = useApp();
  const { crew: say } = words.runPage;
  const names = toAgentNames(crew);
  const signals = crew.signals.filter((route) => route.agent === agent);
  if (signals.length === 0) return null;
  return (
    <>
      <h3>{say.signals}</h3>
      <ul className="crew-signals">
        {signals.map(({ signal, when, target, description }) => (
          <li key={`${signal} ${JSON.stringify(when)} ${target}`}>
            <code>{signal ?? JSON.stringify(when)}</code>
            <strong>{target === "" ? say.end : (names.get(target) ?? target)}</strong>
            <span>{description}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
