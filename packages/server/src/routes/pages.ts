/**
 * Pages: the description of the API, and the page for people.
 *
 * The page is one file; its own scripts and styles run and nothing else does.
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Api } from "./api.ts";
import { toPagePolicy } from "../gateway/answer-headers.ts";
import { setHeader } from "../gateway/gateway-env.ts";
import { notFound } from "../gateway/problem.ts";
import { toOpenApi } from "./openapi.ts";

const PAGE = new URL("../page/index.html", import.meta.url);

/** Adds what describes the server to people and programs. */
export function addPages(api: Api): void {
  api.add(
    {
      method: "get",
      path: "/openapi.json",
      summary: "This description",
      answers: { 200: { description: "OpenAPI 3.1", schema: z.looseObject({ openapi: z.string() }) } },
    },
    (c) => c.json(toOpenApi(api.routes)),
  );
  api.add(
    {
      method: "get",
      path: "/",
      summary: "A page to try the crews with",
      answers: { 200: { description: "HTML", type: "text/html" } },
    },
    async (c) => {
      const html = await readPage();
      if (html === undefined) throw notFound("page here");
      setHeader(
        c,
        "Content-Security-Policy",
        toPagePolicy({ scripts: partsOf(html, "script"), styles: partsOf(html, "style") }),
      );
      return c.html(html);
    },
  );
}

async function readPage(): Promise<string | undefined> {
  try {
    return await readFile(PAGE, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The texts of all elements of that name, in our own page. */
function partsOf(html: string, name: "script" | "style"): readonly string[] {
  return html
    .split(`<${name}`)
    .slice(1)
    .map((part) => part.slice(part.indexOf(">") + 1, part.indexOf(`</${name}>`)));
}
