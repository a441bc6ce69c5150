/**
 * @baton/core/util: small helpers that all packages share. It may change with any version.
 */
export { type Approval, toApproval } from "./words/approval.ts";
export { IdMap } from "./lifetimes/id-map.ts";
export { toBatonError, toFailure, toMessage, toToolFailure } from "./words/error.ts";
export { dropMiddle, estimateTokens, keepNewest } from "./views/history.ts";
export { FORMAT_NAMES } from "./words/schema/format.ts";
export { checkJson, findUnsupported, schemasAt, toPlainInput } from "./words/schema/json-schema.ts";
export { partialJson } from "./words/schema/partial-json.ts";
export { isEqualJson, omitUndefined, parseJson, toCanonicalJson } from "./words/json.ts";
export { addUsage } from "./words/message.ts";
export { nearest, nearestWithin } from "./words/nearest.ts";
export { boundOutput, ChangedOutput, toStateValue } from "./words/output.ts";
export { Semaphore } from "./lifetimes/semaphore.ts";
export { isSuspension } from "./definitions/suspend.ts";
export { hasChanges, lookInto, lookUp, withChanges } from "./words/state.ts";
