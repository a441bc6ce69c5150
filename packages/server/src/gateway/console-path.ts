/**
 * Console path: which addresses are pages and files of the console. They hold no data, so they need no key.
 */

const PAGE = /^\/(?:chat|runs|crews)(?:\/[^/]*)?$|^\/(?:overview)?$/;
const FILE = /^\/(?:assets\/[^/]+|icon\.svg|licences\.txt)$/;

/** Whether a path is a page of the console. */
export function isConsolePage(path: string): boolean {
  return PAGE.test(path);
}

/** Whether a path is a file that its pages load. */
export function isConsoleFile(path: string): boolean {
  return FILE.test(path);
}
