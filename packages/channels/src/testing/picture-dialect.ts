/**
 * Picture dialect: a chat dialect of a test whose answers have a source, a disclaimer and a picture.
 */
import type { Dialect } from "@baton/server/mount";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 675"><rect width="1200" height="675" fill="#fff"/></svg>`;

/** The dialect of a crew. */
export function withPictures(crew: string): Dialect {
  return {
    name: "chat",
    crew,
    start: () => 0,
    next: (state) => [state, []],
    toExtras: (_, language) => ({
      sources: [{ title: "Bảng giá", source: "FPT", url: "https://example.com/", as_of: "2026-11-17" }],
      disclaimer: language === "vi" ? "Không phải lời khuyên." : "Not advice.",
      pictures: [{ svg: SVG, caption: language === "vi" ? "Nguồn: FPT" : "Source: FPT" }],
    }),
  };
}
