import { test } from "node:test";
import { assertBounded } from "../testing/hostile-texts.ts";
import { chatBodySchema } from "./chat-body.ts";

test("no question of 10,000 characters holds the event loop", () => {
  const request = chatBodySchema();
  assertBounded((text) => request.safeParse({ question_input: text, ui_context: { a: text } }));
});
