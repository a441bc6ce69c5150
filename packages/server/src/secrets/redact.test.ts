import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { createKey } from "../gateway/keys.ts";
import { defineRedact } from "./redact.ts";

test("a login in an address is taken out, and the address is not", () => {
  const redact = defineRedact();
  assert.equal(redact("no answer from https://bob:hunter2@host:80/a?b@c"), "no answer from https://***@host:80/a?b@c");
  assert.equal(redact("see https://host:80/a@b"), "see https://host:80/a@b");
});

test("what looks like a key is taken out wherever it stands", () => {
  const redact = defineRedact();
  const { key } = createKey({ tenant: "t", scopes: ["run"] }, 0);
  const secrets = [
    key,
    "sk-proj-abc_DEF-123456",
    "sk-ant-api03-abcdefgh",
    "gsk_abcdefgh1234",
    "xai-abcdefgh12",
    `AIza${"x".repeat(35)}`,
  ];
  for (const secret of secrets) {
    for (const text of [
      secret,
      `failed with ${secret}.`,
      `{"url":"https://x/?key=${secret}&a=1"}`,
      `a\n${secret}\nb`,
    ]) {
      assert.ok(!redact(text).includes(secret), text);
      assert.ok(redact(text).includes("***"));
    }
  }
});

test("what follows Bearer or names itself an API key is taken out, whatever it looks like", () => {
  const redact = defineRedact();
  assert.equal(redact("Authorization: Bearer abc.def~1"), "Authorization: Bearer ***");
  assert.equal(redact('{"authorization":"bearer   x"}'), '{"authorization":"bearer   ***"}');
  assert.equal(redact("x-api-key: hunter2 and more"), "x-api-key: *** and more");
  assert.equal(redact('{\\"api_key\\": \\"hunter2\\"}'), '{\\"api_key\\": \\"***\\"}');
  assert.equal(redact("https://x/?apikey=hunter2&b=1"), "https://x/?apikey=***&b=1");
});

test("configured secrets are taken out as they are, in JSON and in a URL", () => {
  const secret = 'p"ä ss/1';
  const redact = defineRedact([secret, "pass", "password-long", "abc", ""]);
  const text = `${secret} ${JSON.stringify(secret)} ${encodeURIComponent(secret)} password-long abc`;
  assert.equal(redact(text), '*** "***" *** *** abc');
});

test("ordinary words stay", () => {
  const text = "the bearer\nrisk-free task-force asks; ask-me-anything, bt_ and sk- alone, 12 tokens: 500";
  assert.equal(defineRedact()(text), text.replace("bearer\nrisk-free", "bearer\n***"));
});

test("work grows with the text only", () => {
  const redact = defineRedact(["secret-secret"]);
  for (const part of [
    "bearer ",
    "bearer",
    " ",
    "sk-",
    "sk-sk-sk-sk-",
    "bt_a",
    "api_key",
    "api_key:",
    "secret-",
    "AIza",
    "bt_a_",
  ]) {
    assertLinear(20_000, (size) => {
      const text = part.repeat(size);
      return () => redact(text);
    });
  }
  assertLinear(50_000, (size) => {
    const text = `bearer${" ".repeat(size)}`;
    return () => redact(text);
  });
});
