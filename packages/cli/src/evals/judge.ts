/**
 * Judge: the model of `--judge`, and how far it agrees with people's labels.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError, type Model } from "@baton/core";
import { parseJson } from "@baton/core/util";
import type { Agreement, Label, TrialJudge } from "@baton/evals";
import { z } from "zod";
import { type CommandLine, valueOf } from "../command-line.ts";
import type { OpenedCrew } from "../crew/crew-loader.ts";
import { findPaid } from "./money.ts";
import { openModel } from "./named-model.ts";

/** A judge that is ready. */
export type OpenedJudge = Readonly<{ model: Model; votes: number; ask: TrialJudge }>;

/** Opens the judge; undefined if none is named. */
export async function openJudge(commandLine: CommandLine, opened: OpenedCrew): Promise<OpenedJudge | undefined> {
  const name = valueOf(commandLine, "judge");
  if (name === undefined) return undefined;
  const { judge, VOTES } = await import("@baton/evals");
  const model = await openModel(name, opened, { agent: "judge" });
  if (findPaid(opened).includes(model.name))
    process.stderr.write(`baton: ${model.name} judges its own answers; name another model with --judge\n`);
  return { model, votes: VOTES, ask: (judged, maxUsd) => judge(model, judged, maxUsd) };
}

const label = z.strictObject({
  case: z.string(),
  criterion: z.string(),
  label: z.union([z.boolean(), z.enum(["yes", "no"]).transform((word) => word === "yes")]),
});

/** The labels of people in evals/labels.jsonl. */
export async function readLabels(folder: string): Promise<readonly Label[]> {
  const file = join(folder, "evals", "labels.jsonl");
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const parsed = label.safeParse(parseJson(line));
    if (parsed.success) return parsed.data;
    throw new BatonError("invalid", `${file}:${at + 1}: not a label: {case, criterion, label: yes or no}`);
  });
}

const FEW_LABELS = 30;
const WEAK_KAPPA = 0.6;

/** Agreement and Cohen's kappa, with a warning if they say little. */
export function toJudgeLines({ labels, agreement, kappa }: Agreement): readonly string[] {
  const line = `judge: ${Math.round(agreement * 1_000) / 10} % agreement with ${labels} labels, kappa ${kappa.toFixed(2)}`;
  const few = labels < FEW_LABELS ? [`  warning: ${labels} labels are few; write at least ${FEW_LABELS}`] : [];
  const weak = kappa < WEAK_KAPPA ? [`  warning: kappa is below ${WEAK_KAPPA}: do not trust this judge`] : [];
  return [line, ...few, ...weak];
}
