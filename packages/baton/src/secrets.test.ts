import assert from "node:assert/strict";
import { test } from "node:test";
import { findSecrets, hidePassword } from "./secrets.ts";

test("the secrets of a database's address are the address and its password, as written and as meant", () => {
  const url = "postgres://baton:p%40ss%2Fword@db.example/baton?sslpassword=other-word";
  const secrets = findSecrets({}, [url, undefined, "postgres://db.example/baton"]);
  assert.deepEqual(new Set(secrets), new Set([url, "p%40ss%2Fword", "p@ss/word", "other-word"]));
  assert.doesNotMatch(hidePassword(url), /p%40ss|other-word/);
  assert.equal(hidePassword("not an address"), "***");
});

test("the secrets of the environment are variables called so, unless they are too short", () => {
  const env = {
    OPENAI_API_KEY: "sk-0123456789",
    TOKEN: "t-0123456789",
    MY_SECRET: "short",
    TOKENS: "not-a-secret",
    DB_PASSWORD: "hunter22",
    EMPTY_TOKEN: "",
  };
  assert.deepEqual(findSecrets(env, []), ["sk-0123456789", "t-0123456789", "hunter22"]);
});
