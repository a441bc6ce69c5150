/** Servers share limits in Redis, search by meaning, and continue if these services fail. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { SHOP } from "../testing/shop.ts";

test("a Redis that is not there, or an embedding without a key, is refused in one sentence", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const address = free.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  free.close();
  await inFolder(SHOP, async (cwd) => {
    const redis = await baton(["serve", "shop", "--redis", `redis://:hidden-word@127.0.0.1:${port}`], { cwd });
    assert.equal(redis.exitCode, 2);
    assert.match(
      redis.stderr,
      /^baton: no Redis can be used at redis:\/\/127\.0\.0\.1:\d+ \(.*\); start it, or correct --redis\n$/,
    );
    const embedding = await baton(["serve", "shop", "--embeddings", "openai/text-embedding-3-small"], { cwd });
    assert.equal(embedding.exitCode, 2);
    assert.equal(
      embedding.stderr,
      "baton: --embeddings: openai/text-embedding-3-small needs a key: set OPENAI_API_KEY\n",
    );
  });
});
