/**
 * X-ray block: one block of a prompt: what it is, where it came from, its words, and what it weighs. It leads to the
 * turn, step or call that made it.
 */
import type { CrewDetail } from "@baton/client";
import { useState } from "react";
import { useApp } from "../../app-context.ts";
import { type AgentColors, colorClass } from "../../graph/agent-color.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import type { Story } from "../../store/story.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { Words } from "../../words/words.ts";
import { shortPosition } from "../selection.ts";
import { systemSourcesText, xraySourceText } from "./xray-source.ts";
import { type XrayBlock, changeKey, type OmittedPart, type XrayPiece, type PromptChange, targetOf } from "./xray.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";

interface BlockViewProps {
  readonly block: XrayBlock;
  readonly agent: string;
  readonly colors: AgentColors;
  readonly crew: CrewDetail | undefined;
  readonly change: PromptChange | undefined;
  readonly story: Story;
  readonly onSelect: (position: string) => void;
}

/** The class that gives a block its colour: that of the agent whose words it is. */
export function blockClass({ kind, name }: XrayBlock, agent: string, colors: AgentColors): string {
  const of = kind === "agent" ? name : agent;
  return `${kind} ${colorClass(colors, of)}`;
}

/** One block. */
export function XrayBlockView(props: BlockViewProps) {
  const { block, agent, colors, change, crew, story, onSelect } = props;
  const { words } = useApp();
  const nameOf = useAgentName();
  const [isOpen, setOpen] = useState(false);
  const { pieces } = block;
  const [first] = pieces;
  const target = pieces.length === 1 && first !== undefined ? targetOf(first) : undefined;
  const isNew = change !== undefined && pieces.some((piece) => change.added.has(changeKey(piece)));
  const place = block.kind === "system" ? placeOf(crew, agent) : undefined;
  const title = titleOf(block, { story, words, nameOf });
  const source =
    block.kind === "system"
      ? systemSourcesText(pieces, words, place === undefined ? undefined : shortPlace(place))
      : sourceOf(block, words);
  const press = (): void => {
    if (target !== undefined) onSelect(target);
    setOpen((was) => !was);
  };
  return (
    <li className={`xray-block ${blockClass(block, agent, colors)}`} data-open={isOpen}>
      <button type="button" className="xray-head" aria-expanded={isOpen} onClick={press}>
        <strong>{title}</strong>
        <span className="xray-source" {...describedBy(place)}>
          {source === title ? "" : source}
        </span>
        {isNew && <span className="xray-new">{words.runPage.xray.isNew}</span>}
        <Tokens count={block.tokens} />
      </button>
      {place !== undefined && <CopyButton text={place} label={words.runPage.xray.copyPlace} />}
      {pieces.length === 1 || !isOpen || block.kind === "system" ? (
        <p className="xray-text">
          {pieces
            .map(({ text }) => text)
            .join("\n")
            .trim()}
        </p>
      ) : (
        <Pieces pieces={pieces} onSelect={onSelect} />
      )}
    </li>
  );
}

function Pieces({
  pieces,
  onSelect,
}: Readonly<{ pieces: readonly XrayPiece[]; onSelect: (position: string) => void }>) {
  const { words } = useApp();
  return (
    <ul className="xray-pieces">
      {pieces.map((piece) => {
        const target = targetOf(piece);
        return (
          <li key={piece.key}>
            <button type="button" disabled={target === undefined} onClick={() => onSelect(target ?? "")}>
              <span className="xray-source">{xraySourceText(piece, words)}</span>
              <Tokens count={piece.tokens} />
            </button>
            <p className="xray-text">{piece.text}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** A number to see, and what it counts to hear. */
function Tokens({ count }: { readonly count: number }) {
  const { words, format } = useApp();
  const text = format.number(count);
  return (
    <span className="xray-tokens">
      <span aria-hidden>{text}</span>
      <span className="visually-hidden">{words.run.tokens(text)}</span>
    </span>
  );
}

/** A part that was not sent. */
export function OmittedPartView({
  one,
  onSelect,
}: Readonly<{ one: OmittedPart; onSelect: (position: string) => void }>) {
  const { words } = useApp();
  const { xray } = words.runPage;
  const reasons = new Map(Object.entries(xray.reasons));
  const target = targetOf(one);
  return (
    <li className="xray-block left-out">
      <button
        type="button"
        className="xray-head"
        disabled={target === undefined}
        onClick={() => onSelect(target ?? "")}
      >
        <s>{xraySourceText(one, words)}</s>
        <span className="xray-source">
          {xray.leftOut}: {reasons.get(one.reason) ?? one.reason}
        </span>
        {one.tokens !== undefined && <Tokens count={one.tokens} />}
      </button>
    </li>
  );
}

interface Naming {
  readonly story: Story;
  readonly words: Words;
  readonly nameOf: (agent: string) => string;
}

/** The kind of a block, and the agent whose words it has. */
function titleOf({ kind, name, pieces }: XrayBlock, { story, words, nameOf }: Naming): string {
  const { xray } = words.runPage;
  switch (kind) {
    case "system":
      return xray.systemPrompt;
    case "state":
      return xray.state(name);
    case "session":
      return xray.session;
    case "user":
      return xray.user;
    case "own":
      return xray.own;
    case "agent": {
      const turn = pieces[0]?.source.slice("turn ".length);
      return xray.from(nameOf(story.groups.find((group) => group.turn === turn)?.group ?? name));
    }
    case "result":
      return xray.result(name);
    case "tools":
      return xray.tools(pieces.length);
    case "output":
      return xray.output;
    case "message":
      return xray.message;
  }
}

function sourceOf({ kind, pieces }: XrayBlock, words: Words): string {
  const [first] = pieces;
  if (kind === "tools") return pieces.map(({ name }) => name).join(", ");
  if (pieces.length === 1 && first !== undefined) return xraySourceText(first, words);
  return kind === "own" ? words.runPage.xray.turns(toTurns(pieces)) : "";
}

/** The turns of pieces, each once. */
function toTurns(pieces: readonly XrayPiece[]): string {
  return [...new Set(pieces.map(({ source }) => shortPosition(source.slice(source.indexOf(" ") + 1))))].join(", ");
}

function placeOf(crew: CrewDetail | undefined, agent: string): string | undefined {
  const at = crew?.agents.find(({ id }) => id === agent)?.prompt_at;
  return at === undefined ? undefined : `${at.file}:${at.line}`;
}

/** The last folder and the file are enough to know it. */
function shortPlace(place: string): string {
  return place.split("/").slice(-2).join("/");
}
