/**
 * Key command: the command that creates a key for this server, for users to copy.
 *
 * Settings from the environment and the default file apply to both commands; options must be repeated.
 */
import { CREATE_KEY } from "@baton/server/keys";
import { toShellWord } from "../shell-word.ts";
import { DEFAULT_FILE } from "./config-file.ts";
import type { Configured } from "./config.ts";

/** `baton keys create …`, with the options that select the store. */
export function toKeyCommand({ config: { data, postgres }, origins }: Configured): string {
  const [name, value] = postgres === undefined ? ["data", toShellWord(data)] : ["postgres", "URL"];
  const origin = origins.get(name) ?? "";
  if (origin.startsWith("--")) return `${CREATE_KEY} ${origin} ${value}`;
  const file = /^(.+):\d+:\d+$/.exec(origin)?.[1] ?? DEFAULT_FILE;
  return file === DEFAULT_FILE ? CREATE_KEY : `${CREATE_KEY} --config ${toShellWord(file)}`;
}
