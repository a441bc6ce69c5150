/**
 * Markdown text: what a model wrote, as elements. HTML in it stays text; there is no way from here to `innerHTML`.
 *
 * While text grows, all blocks but the last are settled and drawn once. A block that is too long is plain text.
 */
import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { memo, type ReactNode, useMemo } from "react";
import { asItIs, type Decorate, toElements } from "./to-elements.tsx";
import "./markdown-text.css";

const PARSER = new MarkdownIt({ html: false, linkify: false, typographer: false });
const MAX_BLOCK_CHARS = 20_000;

interface MarkdownProps {
  readonly text: string;
  /** Shown after the last word. */
  readonly tail?: ReactNode;
  /** Draws a piece of plain text; the same function as long as it draws the same. */
  readonly decorate?: Decorate;
}

/** Draws a Markdown text. */
export function MarkdownText({ text, tail, decorate = asItIs }: MarkdownProps) {
  const blocks = useMemo(() => toBlocks(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block key={index} source={block} decorate={decorate} />
      ))}
      {tail}
    </div>
  );
}

interface BlockProps {
  readonly source: string;
  readonly decorate: Decorate;
}

const Block = memo(function Block({ source, decorate }: BlockProps) {
  if (source.length > MAX_BLOCK_CHARS) return <pre className="plain">{decorate(source)}</pre>;
  return <>{toElements(PARSER.parse(source, {}), decorate)}</>;
});

/** The top-level blocks of a text, each as it is written. */
function toBlocks(text: string): readonly string[] {
  if (text.length > MAX_BLOCK_CHARS && !text.slice(0, MAX_BLOCK_CHARS).includes("\n\n")) return [text];
  const lines = text.split("\n");
  const starts = PARSER.parse(text, {})
    .filter((token: Token) => token.level === 0 && token.nesting >= 0 && token.map !== null)
    .map(({ map }: Token) => map?.[0] ?? 0);
  return starts.map((start, index) => lines.slice(start, starts[index + 1] ?? lines.length).join("\n"));
}
