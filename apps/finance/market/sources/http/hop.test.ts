import assert from "node:assert/strict";
import { test } from "node:test";
import { checkHop, toNextHop, type Hop } from "./hop.ts";

const hop = (url: string, more: Partial<Hop> = {}): Hop => ({
  url: new URL(url),
  method: "GET",
  headers: { accept: "application/json", "user-agent": "x", "x-tavily-access-mode": "keyless", cookie: "a=b" },
  secrets: { apikey: "k" },
  ...more,
});
const post = (url: string) => hop(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });

test("a redirect on the same origin keeps everything", () => {
  const next = toNextHop(hop("https://a.com/x?q=1"), 302, "/y#part");
  assert.equal(next.url.href, "https://a.com/y");
  assert.deepEqual([next.headers, next.secrets], [hop("https://a.com").headers, { apikey: "k" }]);
});

test("another host, port or scheme gets neither keys nor cookies nor anything that a caller set", () => {
  for (const location of ["https://b.com/", "https://a.com:8443/", "//b.com/x"]) {
    const next = toNextHop(hop("https://a.com/"), 301, location);
    assert.deepEqual(next.secrets, {}, location);
    assert.deepEqual(next.headers, { accept: "application/json", "user-agent": "x" }, location);
  }
  assert.deepEqual(toNextHop(hop("http://a.com/"), 301, "https://a.com/").secrets, {});
});

test("https never becomes http", () => {
  assert.throws(() => toNextHop(hop("https://a.com/"), 302, "http://a.com/"), { code: "refused" });
});

test("a redirect to nowhere, to another scheme or with a password is refused", () => {
  assert.throws(() => toNextHop(hop("https://a.com/"), 302, undefined), { code: "refused" });
  assert.throws(() => toNextHop(hop("https://a.com/"), 302, "http://["), { code: "refused" });
  assert.throws(() => checkHop(toNextHop(hop("http://a.com/"), 302, "file:///etc/passwd")), { code: "refused" });
  assert.throws(() => checkHop(toNextHop(hop("http://a.com/"), 302, "gopher://a.com/")), { code: "refused" });
  assert.throws(() => checkHop(hop("https://user:pass@a.com/")), { code: "refused" });
});

test("what was posted is posted again only on the same origin and only if the status says so", () => {
  const again = toNextHop(post("https://a.com/"), 307, "/b");
  assert.deepEqual([again.method, again.body], ["POST", "{}"]);
  const got = toNextHop(post("https://a.com/"), 303, "/b");
  assert.deepEqual([got.method, got.body, got.headers], ["GET", undefined, {}]);
  assert.throws(() => toNextHop(post("https://a.com/"), 308, "https://b.com/"), { code: "refused" });
});

test("a key never goes over plain http, but to this machine", () => {
  assert.throws(() => checkHop(hop("http://a.com/")), { code: "refused", message: /use https/ });
  checkHop(hop("http://127.0.0.1:80/"));
  checkHop(hop("http://a.com/", { secrets: {} }));
});
