/**
 * Import cases: data of OpenAI's evals and of Braintrust as cases, a line of JSON each.
 */
import { BatonError } from "@baton/core";
import { z } from "zod";

const text = z.union([z.string(), z.array(z.string()).min(1)]);
const openAi = z.object({
  input: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  ideal: text,
});
const braintrust = z.object({
  input: z.union([z.string(), z.json()]),
  expected: text,
  tags: z.array(z.string()).optional(),
  metadata: z.json().optional(),
});

/** Cases of a file's lines; throws with the number of the first bad one. */
export function importCases(lines: string, name: string): string {
  return lines
    .split("\n")
    .flatMap((line, at) =>
      line.trim() === "" ? [] : [`${JSON.stringify(toCase(line, `${name}-${at + 1}`, at + 1))}\n`],
    )
    .join("");
}

function toCase(line: string, id: string, number: number): object {
  const value = parse(line, number);
  const chat = openAi.safeParse(value);
  if (chat.success) {
    const turns = chat.data.input.filter(({ role }) => role === "user").map(({ content }) => content);
    if (turns.length === 0) throw new BatonError("invalid", `line ${number}: no message is the user's`);
    const said = turns.length === 1 ? { input: turns[0] } : { messages: turns };
    return { id, ...said, expected: chat.data.ideal, checks: { expected: true } };
  }
  const row = braintrust.safeParse(value);
  if (!row.success)
    throw new BatonError(
      "invalid",
      `line ${number}: neither {input, ideal} of OpenAI nor {input, expected} of Braintrust`,
    );
  const { input, expected, tags } = row.data;
  return {
    id,
    input: typeof input === "string" ? input : JSON.stringify(input),
    ...(tags && { tags }),
    expected,
    checks: { expected: true },
  };
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BatonError("invalid", `line ${number}: not JSON`);
  }
}
