import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSent, startGateway } from "../testing/gateway-server.ts";

test("what is in the URL is read by the rules of a body", async () => {
  await using server = await startGateway();
  const ask = async (query: string) => {
    const answer = await server.raw(`GET /api/query?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const body = parseSent(answer.body);
    return answer.status === 200 ? body : body.problems;
  };
  const encoding = "is not percent-encoded UTF-8";
  const table = [
    ["q=a+b%2Bc%20%F0%9F%92%A1&crew=x&unknown=1", { q: "a b+c 💡", crew: "x" }],
    ["q=a%0D%0Ab", { q: "a\nb" }],
    ["&q=a=b&", { q: "a=b" }],
    ["%71=a", { q: "a" }],
    ["__proto__=1&q=a", { q: "a" }],
    ["", [{ field: "q", message: "is missing" }]],
    ["q", [{ field: "q", message: "is empty" }]],
    ["q=%ff", [{ field: "q", message: encoding }]],
    ["q=%ED%A0%80", [{ field: "q", message: encoding }]],
    ["q=%C0%80", [{ field: "q", message: encoding }]],
    [
      "q=%zz&%ff=1",
      [
        { field: "q", message: encoding },
        { field: "%ff", message: encoding },
      ],
    ],
    ["q=a&q=b", [{ field: "q", message: "is given more than once" }]],
    ["q=a%00", [{ field: "q", message: "NUL (U+0000) at character 2 is not allowed" }]],
    [
      "q=%0D",
      [{ field: "q", message: "a carriage return (U+000D) without a line feed at character 1 is not allowed" }],
    ],
    ["q=a&crew=../x", [{ field: "crew", message: "must be 1 to 128 of the characters a-z, A-Z, 0-9, _ and -" }]],
  ] as const;
  for (const [query, expected] of table) assert.deepEqual(await ask(query), expected, query);
});

test("the longest query fits in a URL", async () => {
  await using server = await startGateway();
  const q = "💡".repeat(10_000);
  const answer = await fetch(`${server.url}/api/query?q=${encodeURIComponent(q)}`);
  assert.deepEqual(await answer.json(), { q });
  const longer = await fetch(`${server.url}/api/query?q=${encodeURIComponent(q)}a`);
  assert.equal(longer.status, 400);
});
