/**
 * Key command: the command that makes a key for the server that was asked for, as it must be typed here.
 *
 * The environment and the configuration of this folder are the same for both commands; options must be there again.
 */
import { CREATE_KEY } from "@baton/server/keys";
import { toShellWord } from "../shell-word.ts";
import { DEFAULT_FILE } from "./config-file.ts";
import type { Configured } from "./config.ts";

/** `baton keys create …`, with what says which store is meant. */
export function toKeyCommand({ config: { data, postgres }, origins }: Configured): string {
  const [name, value] = postgres === undefined ? ["data", toShellWord(data)] : ["postgres", "URL"];
  const origin = origins.get(name) ?? "";
  if (origin.startsWith("--")) return `${CREATE_KEY} ${origin} ${value}`;
  const file = /^(.+):\d+:\d+$/.exec(origin)?.[1] ?? DEFAULT_FILE;
  return file === DEFAULT_FILE ? CREATE_KEY : `${CREATE_KEY} --config ${toShellWord(file)}`;
}
