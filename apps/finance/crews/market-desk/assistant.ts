/**
 * What a server must know of the desk before it listens: some sources are for this machine alone.
 */
import { checkPlace } from "../../market/chain/listening-place.ts";

export default { check: checkPlace };
