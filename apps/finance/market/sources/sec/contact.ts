/**
 * Contact: the e-mail address by which the SEC can reach the user of a program.
 */

const MAX_CONTACT = 200;

/** The contact, if it is an e-mail address that a header can hold, alone or after a name. */
export function toContact(contact: string | undefined): string | undefined {
  const text = contact?.trim() ?? "";
  const isPlain = Array.from(text).every((sign) => sign >= " " && sign <= "~");
  const address = text.split(" ").at(-1) ?? "";
  const [name, host, ...rest] = address.split("@");
  const labels = host?.split(".") ?? [];
  const isHost = labels.length > 1 && labels.every((label) => label !== "");
  const isAddress = name !== undefined && name !== "" && isHost && rest.length === 0;
  return isPlain && isAddress && text.length <= MAX_CONTACT ? text : undefined;
}
