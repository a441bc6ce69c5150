/**
 * Console path: which addresses are pages and files of the console. They hold no data, so they need no key.
 */

const PAGES = [
  /^\/(?:overview)?$/,
  /^\/(?:chat|runs|crews|evals|market)(?:\/[^/]*)?$/,
  /^\/runs\/[^/]+\/(?:playground|compare\/[^/]+)$/,
  /^\/server\/(?:tools(?:\/[^/]+\/[^/]+)?|models|mcp|channels|memory|sources|keys)$/,
  /^\/share\/[^/]+$/,
] as const;
const FILE = /^\/(?:assets\/[^/]+|icon\.svg|licences\.txt)$/;

/** Whether a path is a page of the console. */
export function isConsolePage(path: string): boolean {
  return PAGES.some((page) => page.test(path));
}

/** Whether a path is a file that its pages load. */
export function isConsoleFile(path: string): boolean {
  return FILE.test(path);
}
