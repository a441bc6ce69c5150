/**
 * Page: a tutorial as the list of what its reader does and sees, in its order.
 *
 * A `sh` block is typed, a block marked `file` is written into the file that its first line names, and a block marked
 * `output` is what the command above it prints, with `…` for what differs from time to time. In the text, "Type `x`" and
 * "Press `Ctrl-C`" go to the command that is running, and "another terminal" or "first terminal" says where to continue.
 */
const LINE = /^(```(?<info>\S.*)|```|## (?<heading>.+)|(?<text>.*))$/;
const DEED = /\b(?:type `(?<line>[^`]+)`|press `Ctrl-(?<key>[A-Z])`|(?<where>another|first) terminal)/gi;
const FILE_NAME = /^(?:#|\/\/) (\S+)/;
/** The control character of a letter. */
const CONTROL_OFFSET = 64;

/** One thing that the reader does or sees. */
export type Step =
  | { readonly type: "section"; readonly title: string }
  | { readonly type: "file"; readonly path: string; readonly text: string }
  | { readonly type: "command"; readonly line: string }
  | { readonly type: "keys"; readonly keys: string; readonly isControl: boolean }
  | { readonly type: "terminal"; readonly index: number }
  | { readonly type: "output"; readonly lines: readonly string[] };

/** Everything that is to be done, from the top of a page to its end. */
export function parsePage(markdown: string): readonly Step[] {
  const steps: Step[] = [];
  let text = "";
  let block: { readonly info: string; readonly lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    if (block !== undefined && line !== "```") {
      block.lines.push(line);
      continue;
    }
    const { info, heading } = LINE.exec(line)?.groups ?? {};
    if (block === undefined && info === undefined && heading === undefined) {
      text += `${line}\n`;
      continue;
    }
    steps.push(...toDeeds(text), ...(block === undefined ? [] : toSteps(block.info, block.lines)));
    if (heading !== undefined) steps.push({ type: "section", title: heading });
    text = "";
    block = info === undefined ? undefined : { info, lines: [] };
  }
  return [...steps, ...toDeeds(text)];
}

function toDeeds(text: string): readonly Step[] {
  return Array.from(text.replaceAll("\n", " ").matchAll(DEED), ({ groups: { line, key, where } = {} }): Step => {
    if (line !== undefined) return { type: "keys", keys: `${line}\n`, isControl: false };
    if (where !== undefined) return { type: "terminal", index: where.toLowerCase() === "first" ? 0 : 1 };
    const code = (key ?? "").toUpperCase().charCodeAt(0) - CONTROL_OFFSET;
    return { type: "keys", keys: String.fromCharCode(code), isControl: true };
  });
}

function toSteps(info: string, lines: readonly string[]): readonly Step[] {
  const [language = "", ...marks] = info.split(" ");
  const text = `${lines.join("\n")}\n`;
  if (marks.includes("file")) return [{ type: "file", path: FILE_NAME.exec(text)?.[1] ?? "", text }];
  if (marks.includes("output")) return [{ type: "output", lines: lines.filter((line) => line.trim() !== "") }];
  if (language !== "sh") return [];
  const commands = text.replaceAll("\\\n", " ").split("\n");
  return commands.filter((line) => line.trim() !== "").map((line) => ({ type: "command", line }));
}

/** Whether text that was printed has all lines, in their order. */
export function hasLines(printed: string, wanted: readonly string[]): boolean {
  const rest = printed.split("\n").map((line) => line.trim());
  return wanted.every((line) => {
    const at = rest.findIndex((one) => isLike(one, line.trim()));
    rest.splice(0, at + 1);
    return at !== -1;
  });
}

/** Whether a line is as it is wanted, where `…` stands for any text. */
function isLike(line: string, wanted: string): boolean {
  const [first = "", ...parts] = wanted.split("…");
  const last = parts.pop();
  if (last === undefined) return line === wanted;
  if (!line.startsWith(first) || !line.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = line.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= line.length;
}
