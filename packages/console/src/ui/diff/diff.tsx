/**
 * Diff: two texts in one, by words; what came is underlined, what went is struck.
 */
import { Fragment, useMemo } from "react";
import { diffWords } from "./word-diff.ts";
import "./diff.css";

interface DiffProps {
  readonly before: string;
  readonly after: string;
}

/** The text with its changes. */
export function Diff({ before, after }: DiffProps) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <span className="diff">
      {parts.map(({ kind, text }, at) => {
        if (kind === "added") return <ins key={at}>{text}</ins>;
        if (kind === "removed") return <del key={at}>{text}</del>;
        return <Fragment key={at}>{text}</Fragment>;
      })}
    </span>
  );
}
