import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MarketError } from "../../../port/market-error.ts";
import { childrenOf, numberAt, parseXml, textAt } from "./xml.ts";

test("elements are found by their names without prefix, text with its five references read", () => {
  const root = parseXml(
    '<?xml version="1.0"?><!-- c --><n1:a x="1 > 0" xmlns:n1="u"><n1:b>x &amp;lt; <![CDATA[<y>&amp;]]></n1:b><b/><c>1,234.50</c></n1:a>',
  );
  assert.equal(root.name, "a");
  assert.equal(textAt(root, "b"), "x &lt; <y>&amp;");
  assert.equal(childrenOf(root, "b").length, 2);
  assert.equal(numberAt(root, "c"), 1234.5);
  assert.deepEqual([textAt(root, "none/at/all"), numberAt(root, "b")], [undefined, undefined]);
});

test("entities that a document defines are refused with its document type, others stay as they stand", () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>';
  assert.throws(() => parseXml(bomb), { kind: "upstream", message: /document type/ });
  assert.throws(() => parseXml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), { kind: "upstream" });
  assert.equal(textAt(parseXml("<a><b>&xxe; &#65; &#x42;</b></a>"), "b"), "&xxe; A B");
});

test("depth is bounded, and broken documents are upstream errors", () => {
  assert.throws(() => parseXml("<a>".repeat(100_000)), { kind: "upstream", message: /too deep/ });
  for (const text of [
    "",
    "x",
    "<a>",
    "<a></b>",
    "<a><b></a></b>",
    "<a/><b/>",
    "<a",
    "</a>",
    "<a><!-- </a>",
    "<1/>",
    '<a b="</a>',
  ])
    assert.throws(() => parseXml(text), { kind: "upstream" }, text);
});

test("any text is a document or an upstream error", () => {
  const pieces = fc.constantFrom(
    "<a>",
    "</a>",
    "<a/>",
    "<",
    ">",
    "&amp;",
    "<!--",
    "-->",
    "<?",
    "?>",
    "x",
    "<![CDATA[",
    "]]>",
    '"',
    "'",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      try {
        parseXml(parts.join(""));
      } catch (error) {
        assert.ok(error instanceof MarketError && error.kind === "upstream");
      }
    }),
  );
});
