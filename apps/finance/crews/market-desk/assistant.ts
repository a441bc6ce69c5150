/** Checks the settings before the desk listens, and notes where: some sources may be used on this machine only. */
import { listenState } from "../../crew/market.ts";
import type { ListenAddress } from "../../market/chain/listen-address.ts";

export default { check: (address: ListenAddress) => listenState.listen(address, process.env) };
