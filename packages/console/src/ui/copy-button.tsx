/**
 * Copy button: copies a text, and says so for a moment.
 */
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import { copyText } from "./copy-text.ts";
import "./copy-button.css";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly children?: ReactNode;
}

const SAID_MS = 1_500;

/** Copies what it is given. */
export function CopyButton({ text, label, children }: CopyButtonProps) {
  const { words, notify } = useApp();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    copyText(text).then((isThere) => {
      setCopied(isThere);
      if (isThere) notify(words.runPage.copied);
    }, ignore);
  };
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={children === undefined ? label : undefined}
      data-tip={label}
      onClick={copy}
    >
      {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      {children}
    </button>
  );
}

function ignore(): void {}
