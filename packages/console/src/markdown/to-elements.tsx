/**
 * To elements: tokens of Markdown as React elements. What it does not know is shown as its text.
 */
import type { Token } from "markdown-it";
import { createElement, Fragment, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";

/** Elements that a token may become; everything else is text. */
const TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td strong em s hr br".split(" "),
);
const ADDRESS = /^(?:https?:\/\/|mailto:)/i;

interface Open {
  readonly tag: string;
  readonly props: { readonly [name: string]: unknown };
  readonly children: ReactNode[];
}

/** Draws a piece of plain text. */
export type Decorate = (text: string) => ReactNode;

/** Text as it is. */
export const asItIs: Decorate = (text) => text;

/** The elements of a list of tokens. */
export function toElements(tokens: readonly Token[], decorate: Decorate = asItIs): ReactNode {
  const root: Open = { tag: "", props: {}, children: [] };
  const open: Open[] = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === 1) {
      open.push({ tag: token.tag, props: propsOf(token), children: [] });
    } else if (token.nesting === -1) {
      const done = open.length > 1 ? open.pop() : undefined;
      if (done !== undefined)
        (open.at(-1) ?? root).children.push(toElement(done, parent.children.length + open.length));
    } else {
      parent.children.push(<Fragment key={parent.children.length}>{toLeaf(token, decorate)}</Fragment>);
    }
  }
  for (let left = open.pop(); left !== undefined && left !== root; left = open.pop()) {
    (open.at(-1) ?? root).children.push(toElement(left, 0));
  }
  return root.children;
}

function toElement({ tag, props, children }: Open, key: number): ReactNode {
  if (tag === "a") return <SafeLink key={key} href={props["href"]} text={children} />;
  if (!TAGS.has(tag)) return <Fragment key={key}>{children}</Fragment>;
  return createElement(tag, { key, ...props }, ...children);
}

function propsOf(token: Token): Open["props"] {
  const href = token.attrGet("href");
  const style = token.attrGet("style");
  const start = token.attrGet("start");
  return {
    ...(href === null ? {} : { href }),
    ...(style === "text-align:right" ? { className: "right" } : {}),
    ...(start === null ? {} : { start: Number(start) }),
  };
}

function toLeaf(token: Token, decorate: Decorate): ReactNode {
  switch (token.type) {
    case "inline":
      return toElements(token.children ?? [], decorate);
    case "code_inline":
      return <code>{decorate(token.content)}</code>;
    case "fence":
    case "code_block":
      return toCode(token, decorate);
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "image":
      return <SafeLink href={token.attrGet("src")} text={token.content === "" ? "image" : token.content} />;
    default:
      return decorate(token.content);
  }
}

/** Code in the colours of its language; code with something drawn in it stays in one colour. */
function toCode({ content, info }: Token, decorate: Decorate): ReactNode {
  const drawn = decorate(content);
  const isPlain = drawn === content || (Array.isArray(drawn) && drawn.length === 1 && drawn[0] === content);
  if (isPlain) return <CodeBlock code={content} language={languageOf(info)} />;
  return (
    <pre tabIndex={0}>
      <code>{drawn}</code>
    </pre>
  );
}

/** The first word after the fence. */
function languageOf(info: string): string {
  const text = info.trim();
  const end = text.indexOf(" ");
  return (end === -1 ? text : text.slice(0, end)).toLowerCase();
}

/** A link with its host beside it; an address of another kind is text. */
function SafeLink({ href, text }: { readonly href: unknown; readonly text: ReactNode }) {
  if (typeof href !== "string" || !ADDRESS.test(href)) return <>{text}</>;
  const host = URL.parse(href)?.host ?? "";
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
      {host !== "" && <span className="host">{` (${host})`}</span>}
    </a>
  );
}
