import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { MatchKind } from "./event.ts";
import { assertLinear } from "../testing/growth.ts";
import { compileSignals, isSignal } from "./signal.ts";

/** The three levels as a person would write them, over the whole text, one signal at a time. */
function matchNaively(text: string, signal: string): MatchKind | undefined {
  if (text.includes(signal)) return "exact";
  if (text.toLowerCase().includes(signal.toLowerCase())) return "case";
  const wanted = normalise(signal);
  const isFound = (text.match(/\[[^[\]]*\]/g) ?? []).some((candidate) => normalise(candidate) === wanted);
  return isFound ? "normalised" : undefined;
}

const normalise = (bracketed: string): string =>
  bracketed.slice(1, -1).replace(/\s+/g, " ").trim().normalize("NFC").toLowerCase().normalize("NFC");

const find = (signals: readonly string[], text: string) =>
  compileSignals(signals)
    .find(text)
    .map(({ index, match }) => [index, match]);

// Letters whose case changes their length, depends on their place, or has a composed form on one side only.
const letters =
  "a|A|b|_|'|.| |  |\t|\n|\u00a0|\u2003|İ|i|ß|ẞ|Σ|σ|ς|Α|ế|Ế|e\u0302\u0301|J\u030c|ǰ|\u0323|\u0307|\u0345|ᾂ|Å|\u212b|\u212a|ﬁ|👍|\ud83d|\udc4d";
const piece = fc.constantFrom(...letters.split("|"));
const inner = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const signal = inner.filter((text) => text.trim() !== "").map((text) => `[${text}]`);
const disguised = signal.chain((text) =>
  fc.constantFrom(
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize("NFD"),
    text.normalize("NFC"),
    `[ ${text.slice(1, -1)}\n]`,
    text.normalize("NFD").toUpperCase(),
  ),
);

test("every signal is found as the three levels find it one by one, on random Unicode", () => {
  const both = signal.chain((text) =>
    fc.tuple(
      fc.array(signal, { maxLength: 3 }).map((others) => [...others, text]),
      fc
        .array(
          fc.oneof(
            inner,
            disguised,
            fc.constantFrom("[", "]", "[[", "]]"),
            fc.constantFrom(text, text.toUpperCase(), text.normalize("NFD"), ` [ ${text.slice(1, -1)} ]`),
          ),
          { maxLength: 6 },
        )
        .map((parts) => parts.join("")),
    ),
  );
  fc.assert(
    fc.property(both, ([signals, text]) => {
      const expected = signals.flatMap((one, index) => {
        const match = matchNaively(text, one);
        return match === undefined ? [] : [[index, match]];
      });
      assert.deepEqual(find(signals, text), expected);
    }),
    { numRuns: 3_000 },
  );
});

test("a signal is found exactly, in other case, and with other white space or composition", () => {
  assert.deepEqual(find(["[ROUTE_X]"], "Go on. [ROUTE_X]"), [[0, "exact"]]);
  assert.deepEqual(find(["[ROUTE_X]"], "Go on. [route_x]"), [[0, "case"]]);
  assert.deepEqual(find(["[kết thúc]"], "[ KẾT  THÚC ]"), [[0, "normalised"]]);
  assert.deepEqual(find(["[kết thúc]"], "[KẾT THÚC]".normalize("NFD")), [[0, "normalised"]]);
  assert.deepEqual(find(["[ROUTE_X]"], "[ROUTE X] ROUTE_X [ROUTE_X [ROUTE_XX]"), []);
});

test("the best way counts, whatever stands before and after", () => {
  assert.deepEqual(find(["[A]"], "[ a ] [a] [A] [a]"), [[0, "exact"]]);
  assert.deepEqual(find(["[A]"], "[ a ] [a] [ A ]"), [[0, "case"]]);
});

test("signals that differ only in case or white space are all found, in the order of the list", () => {
  assert.deepEqual(find(["[z]", "[DONE]", "[done]", "[ done ]"], "[done] [z]"), [
    [0, "exact"],
    [1, "case"],
    [2, "exact"],
    [3, "normalised"],
  ]);
});

test("a signal between other brackets is found", () => {
  assert.deepEqual(find(["[A]"], "[[A]] ][ [x [A]"), [[0, "exact"]]);
});

test("a final sigma is the same in a signal as in a text", () => {
  assert.deepEqual(find(["[ΟΔΟΣ]"], "α[οδος]α"), [[0, "case"]]);
});

test("the longest way to write a signal is still found", () => {
  const composed = "[ᾂᾂᾂᾂᾂᾂᾂᾂ]";
  const decomposed = composed.normalize("NFD");
  assert.ok(decomposed.length > 3 * composed.length);
  assert.deepEqual(find([composed], decomposed), [[0, "normalised"]]);
});

test("no signals, no brackets and no text find nothing", () => {
  assert.deepEqual(find([], "[A]"), []);
  assert.deepEqual(find(["[A]"], "A"), []);
  assert.deepEqual(find(["[A]"], ""), []);
});

test("a text that is not [TEXT] is no signal", () => {
  for (const bad of ["", "[", "]", "A", "[A", "A]", "[]", "[ \t ]", "[A]B]", "[A[B]", " [A]", "[A] "]) {
    assert.equal(isSignal(bad), false, bad);
    assert.throws(() => compileSignals([bad]), { code: "invalid" });
  }
  for (const good of ["[A]", "[ KẾT THÚC ]", "[__proto__]"]) assert.equal(isSignal(good), true, good);
});

test("text for people holds no signal, and no hole where one stood", () => {
  const matcher = compileSignals(["[X]", "[Y]"]);
  for (const [raw, content] of [
    ["Thanks. [X]", "Thanks."],
    ["Thanks.\n\n[X]\n", "Thanks."],
    ["[X] Thanks.", "Thanks."],
    ["[x]\n\nThanks.\n", "Thanks.\n"],
    ["a [X] b", "a b"],
    ["a [X]b", "a b"],
    ["a[X] b", "a b"],
    ["a[X]b", "ab"],
    ["Go on [X].", "Go on."],
    ["a [X] [ y ] b", "a b"],
    ["a\n[X]\nb", "a\nb"],
    ["a\n\n[X]\n\nb", "a\n\nb"],
    ["a\n[X]\n[Y]\nb", "a\nb"],
    ["a [X]  \nb", "a\nb"],
    ["a\n[X]\n    b", "a\n    b"],
    ["  a [X]  b [Y] c  d", "  a b c  d"],
    ["[X]", ""],
    [" [X] \n [Y] ", ""],
    ["a  [Z]  b", "a  [Z]  b"],
    ["", ""],
  ] as const) {
    assert.equal(matcher.strip(raw), content, JSON.stringify(raw));
  }
});

test("stripping takes every signal out and changes nothing but white space besides", () => {
  const text = fc.array(fc.oneof(inner, disguised), { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(signal, { minLength: 1, maxLength: 3 }), text, (signals, body) => {
      const matcher = compileSignals(signals);
      const raw = [body, ...signals, body].join("");
      const content = matcher.strip(raw);
      assert.deepEqual(matcher.find(content), []);
      const wanted = new Set(signals.map(normalise));
      const words = raw.replace(/\[[^[\]]*\]/g, (candidate) => (wanted.has(normalise(candidate)) ? "" : candidate));
      assert.equal(content.replace(/\s+/g, ""), words.replace(/\s+/g, ""));
    }),
  );
});

test("hostile text costs time in proportion to its length", { timeout: 60_000 }, () => {
  const matcher = compileSignals(["[ROUTE_X]", "[KẾT THÚC]"]);
  for (const unit of ["[", "]", "[\u0301", "\u0301\u0323", "[ ", " ", "[]", "][", "[ROUTE_X]", "[route_x] "]) {
    for (const [before, after] of [
      ["", ""],
      ["[", "]"],
    ] as const) {
      assertLinear(10_000, (size) => {
        const text = `${before}${unit.repeat(size / unit.length)}${after}`;
        return () => [matcher.find(text), matcher.strip(text)];
      });
    }
  }
});

test("white space before many signals costs time in proportion to its length", { timeout: 60_000 }, () => {
  const matcher = compileSignals(["[X]"]);
  assertLinear(20_000, (size) => {
    const text = `a${"\n".repeat(size)}${"[X] ".repeat(size)}`;
    return () => matcher.strip(text);
  });
});
