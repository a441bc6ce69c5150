/**
 * To frames: values as the frames that one event makes, each with its id.
 */
import type { Frame } from "./dialect.ts";

/** Values as JSON in frames whose ids are the event's `seq`, or `<seq>.<n>` if there are several. */
export function toNumbered<Value extends object>(
  seq: number,
  values: readonly Value[],
  nameOf?: (value: Value) => string,
): readonly Frame[] {
  const toId = (index: number) => (values.length === 1 ? `${seq}` : `${seq}.${index + 1}`);
  return values.map((value, index) => ({ id: toId(index), ...toFrame(value, nameOf) }));
}

/** A value as JSON in a frame, without an id; with a name if the protocol has names. */
export function toFrame<Value extends object>(value: Value, nameOf?: (value: Value) => string): Frame {
  const data = JSON.stringify(value);
  return nameOf === undefined ? { data } : { event: nameOf(value), data };
}
