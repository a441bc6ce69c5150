/**
 * Code block: code as it was written; once it has stopped growing, with the colours of its language.
 */
import { type ReactNode, useEffect, useState } from "react";
import type { CodePiece } from "./highlight.ts";

interface CodeBlockProps {
  readonly code: string;
  /** As the fence names it; empty if it does not. */
  readonly language: string;
}

interface Highlighted {
  readonly code: string;
  readonly pieces: readonly CodePiece[];
}

/** Code that did not change for so long is settled. */
const SETTLED_MS = 120;
const MAX_CHARS = 4_000;

/** A block of code. */
export function CodeBlock({ code, language }: CodeBlockProps) {
  const [highlighted, setHighlighted] = useState<Highlighted>();
  useEffect(() => {
    if (language === "" || code.length > MAX_CHARS) return undefined;
    let isWanted = true;
    const draw = async (): Promise<void> => {
      const { highlight } = await import("./highlight.ts");
      const pieces = isWanted ? highlight(code, language) : undefined;
      if (pieces !== undefined) setHighlighted({ code, pieces });
    };
    // Without its chunk the code stays as it is.
    const timer = setTimeout(() => {
      draw().catch(() => {});
    }, SETTLED_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return (
    <pre tabIndex={0}>
      <code>{highlighted?.code === code ? highlighted.pieces.map(toSpan) : code}</code>
    </pre>
  );
}

function toSpan({ text, kind }: CodePiece, index: number): ReactNode {
  if (kind === "") return text;
  return (
    <span key={index} className={kind}>
      {text}
    </span>
  );
}
