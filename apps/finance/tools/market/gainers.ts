/**
 * Gainers: one of the day's lists.
 */
import { defineMovers } from "./movers.ts";

/** Lists the stocks that rose most. */
export const gainersTool = defineMovers({
  name: "getGainers",
  list: "gainers",
  title: "Biggest gainers",
  description: "US stocks that rose most in percent on the latest day, at prices of at least 1 dollar.",
  says: `biggest gainers; top gaining stocks today; which stocks rose most; cổ phiếu tăng mạnh nhất;
    mã tăng giá nhiều nhất hôm nay; top tăng giá; stocks with the best day; winners today; what is soaring;
    tăng trần; mã thắng lớn`,
});
