/**
 * Rule: what a check of the repository is, and the words rules share.
 *
 * A rule is a pure function over files, so that a planted violation can be shown to be found.
 */
import { lineAt, type Found, type SourceFile } from "./source.ts";

/** A place where a rule is broken. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Every way in which the files break one rule. */
export type Rule = (files: readonly SourceFile[]) => readonly Violation[];

/** The start of a file, for rules about a whole file. */
export const START: Found = { text: "", index: 0 };

/** A violation at what was found, or none where there is no message. */
export function at(file: SourceFile, found: Found, message: string | undefined): readonly Violation[] {
  return message === undefined ? [] : [{ path: file.path, line: lineAt(file.text, found.index), message }];
}

/** The code among the files. */
export function codeOf(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter(({ path }) => /\.[jt]sx?$/.test(path));
}

/** The sources of core: without its tests and what only tests use. */
export function coreOf(files: readonly SourceFile[]): readonly SourceFile[] {
  return codeOf(files).filter(({ path }) => path.startsWith("packages/core/src/") && !isTest(path));
}

/** Tests, and what only tests use. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes("/testing/") || path.startsWith("tests/");
}

/** `packages/x`, `apps/x` and `crews/x` stand alone; elsewhere the top folder does. */
export function unitOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return ["packages", "apps", "crews"].includes(top) ? `${top}/${second}` : top;
}
