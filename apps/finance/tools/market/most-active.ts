/**
 * MostActive: one of the day's lists.
 */
import { defineMovers } from "./movers.ts";

/** Lists the stocks that traded most. */
export const mostActiveTool = defineMovers({
  name: "getMostActive",
  list: "active",
  title: "Most active",
  description: "US stocks that traded most on the latest day, with price and change.",
  says: `most active stocks; highest trading volume; most traded shares today; cổ phiếu giao dịch nhiều nhất;
    khối lượng giao dịch lớn nhất; mã sôi động nhất; what is everyone trading; most liquid shares by volume;
    thanh khoản cao nhất; giao dịch sôi động`,
});
