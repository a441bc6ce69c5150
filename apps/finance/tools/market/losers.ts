/**
 * Losers: one of the day's lists.
 */
import { defineMovers } from "./movers.ts";

/** Lists the stocks that fell most. */
export const losersTool = defineMovers({
  name: "getLosers",
  list: "losers",
  title: "Biggest losers",
  description: "US stocks that fell most in percent on the latest day, at prices of at least 1 dollar.",
  says: `biggest losers; top losing stocks today; which stocks fell most; cổ phiếu giảm mạnh nhất;
    mã giảm giá nhiều nhất hôm nay; top giảm giá; worst performers of the day; what is crashing;
    stocks that fell; giảm sàn; mã lao dốc`,
});
