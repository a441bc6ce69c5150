/** Checks before the crew is served: some sources may be used on this machine only. */
import { checkPlace } from "../../market/chain/listening-place.ts";

export default { check: checkPlace };
