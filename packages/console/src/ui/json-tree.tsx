/**
 * JSON tree: arguments and results as they are, to open and to copy. Long lists show their beginning.
 */
import { Copy } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import "./json-tree.css";

const MAX_SHOWN = 50;
const MAX_TEXT = 2_000;

interface JsonTreeProps {
  readonly title: string;
  readonly value: unknown;
  /** A value to show at once, as `data.rows[3].price`. */
  readonly path?: string | undefined;
}

/** A value under a title, with a button that copies it. */
export function JsonTree({ title, value, path }: JsonTreeProps) {
  const { words, announce } = useApp();
  const copy = (): void => {
    copyText(JSON.stringify(value, null, 2))
      .then((isThere) => announce(isThere ? words.copy.copied : ""))
      .catch(() => announce(""));
  };
  return (
    <div className="json-tree">
      <div className="json-tree-head">
        <span>{title}</span>
        <Button kind="quiet" label={words.chat.json.copy} onPress={copy}>
          <Copy size={13} aria-hidden />
        </Button>
      </div>
      <div className="json-tree-body">
        <Node value={value} isOpen marked={path === undefined ? undefined : partsOf(path)} />
      </div>
    </div>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly isOpen?: boolean;
  /** The rest of the way to the value to show; none: it is this one. */
  readonly marked?: readonly string[] | undefined;
}

/** The names on a path. */
function partsOf(path: string): readonly string[] {
  return path.split(/[.[\]]/u).filter((part) => part !== "");
}

function Node({ name, value, isOpen = false, marked }: NodeProps) {
  const { words } = useApp();
  const entries = entriesOf(value);
  const isMarked = marked?.length === 0;
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked) line.current?.scrollIntoView({ block: "nearest" });
  }, [isMarked]);
  if (entries === undefined) {
    return (
      <div ref={line} className={isMarked ? "json-tree-leaf marked" : "json-tree-leaf"}>
        <Name name={name} />
        <Leaf value={value} />
      </div>
    );
  }
  const { fields, items } = words.chat.json;
  const summary = Array.isArray(value) ? items(entries.length) : fields(entries.length);
  return (
    <details open={isOpen || marked !== undefined || entries.length <= 2}>
      <summary>
        <Name name={name} />
        <span className="json-tree-count">{summary}</span>
      </summary>
      <div className="json-tree-inner">
        {entries
          .filter(([key], at) => at < MAX_SHOWN || key === marked?.[0])
          .map(([key, inner]) => (
            <Node key={key} name={key} value={inner} marked={key === marked?.[0] ? marked.slice(1) : undefined} />
          ))}
        {entries.length > MAX_SHOWN && <span className="json-tree-count">{`+${entries.length - MAX_SHOWN}`}</span>}
      </div>
    </details>
  );
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

function Name({ name }: { readonly name: string | undefined }): ReactNode {
  return name === undefined ? null : <span className="json-tree-name">{name}</span>;
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === "string") return <span className="json-tree-text">{value.slice(0, MAX_TEXT)}</span>;
  return <span className="json-tree-value">{String(value)}</span>;
}
