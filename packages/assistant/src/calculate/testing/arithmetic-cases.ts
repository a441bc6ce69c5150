/**
 * Arithmetic cases: questions as reports are asked them, with the answers, which were computed with fractions.
 */
import { z } from "zod";
import type { Unit } from "../../facts/fact.ts";

/** A number with its unit; amounts are in dollars. */
export type Amount = Readonly<{ value: number; unit: Unit }>;

/** A question; letters in the expression stand for the facts in their order. The answer has 12 digits. */
export type ArithmeticCase = Readonly<{
  title: string;
  facts: readonly Amount[];
  expression: string;
  answer: Amount;
}>;

const UNIT = z.enum(["money", "money/share", "percent", "ratio", "shares", "count", "points", "days"]);

const TABLE = `
revenue growth | 215639000000 money, 233715000000 money | growth(a, b) | -7.7342061913 percent
revenue growth by hand | 93580000000 money, 86833000000 money | (a - b) / b | 0.0777008740916 ratio
growth as a percentage | 1234.5 money, 1100.25 money | percent((a - b) / b) | 12.2017723245 percent
decline | 81.2 money, 97.6 money | growth(a, b) | -16.8032786885 percent
growth to zero | 0 money, 12 money | growth(a, b) | -100 percent
growth of an outflow | -120 money, -100 money | growth(a, b) | 20 percent
growth of a share count | 5336166000 shares, 5500281000 shares | growth(a, b) | -2.98375664807 percent
growth of earnings per share | 8.31 money/share, 9.22 money/share | growth(a, b) | -9.86984815618 percent
growth of a count | 116000 count, 110000 count | growth(a, b) | 5.45454545455 percent
average of three years | 215639 money, 233715 money, 182795 money | avg(a, b, c) | 210716.333333 money
average by hand | 10.1 money, 10.2 money, 10.6 money | (a + b + c) / 3 | 10.3 money
average of percentages | 12.5 percent, 13.1 percent | avg(a, b) | 12.8 percent
difference of percentages | 39.1 percent, 38.5 percent | a - b | 0.6 percent
difference of rates below one | 0.3 percent, 0.1 percent | a - b | 0.2 percent
sum of percentages | 33.3 percent, 33.3 percent, 33.4 percent | sum(a, b, c) | 100 percent
share of total | 136700 money, 215639 money | share(a, b) | 63.3929854989 percent
share of a total that is summed | 24 money, 36 money, 40 money | share(a, a + b + c) | 24 percent
share of holders | 150 count, 1200 count | share(a, b) | 12.5 percent
compound growth over four years | 156508 money, 215639 money | cagr(a, b, 4) | 8.34221041214 percent
compound growth over one year | 100 money, 110 money | cagr(a, b, 1) | 10 percent
compound decline | 100 money, 50 money | cagr(a, b, 2) | -29.2893218813 percent
small compound growth | 100 money, 100.001 money | cagr(a, b, 3) | 0.000333332222228 percent
compound growth by a power | 144 money, 100 money | percent((a / b) ^ (1 / 2) - 1) | 20 percent
earnings per share | 45687000000 money, 5500281000 shares | a / b | 8.30630289616 money/share
market value | 229.87 money/share, 15115823000 shares | a * b | 3474674233010 money
price to earnings | 229.87 money/share, 6.08 money/share | a / b | 37.8075657895 ratio
price from a multiple | 31.5 ratio, 6.08 money/share | a * b | 191.52 money/share
book value per share | 128249 money, 5336.166 shares | a / b | 24.0339224829 money/share
enterprise value | 617588 money, 87032 money, 20484 money | a + b - c | 684136 money
free cash flow | 66231 money, 12734 money | a - b | 53497 money
free cash flow with a negative outlay | 66231 money, -12734 money | a + b | 53497 money
debt to equity | 87032 money, 128249 money | a / b | 0.678617377134 ratio
current ratio | 106869 money, 79006 money | a / b | 1.35266941751 ratio
quick ratio | 106869 money, 2132 money, 79006 money | (a - b) / c | 1.32568412526 ratio
interest cover | 60024 money, 1456 money | a / b | 41.2252747253 ratio
return on average equity | 45687 money, 128249 money, 119355 money | percent(a / avg(b, c)) | 36.9032810455 percent
change of a price | 80 money/share, 100 money/share | percent_change(a, b) | 25 percent
distance to a level | 141.95 money/share | a - 120 | 21.95 money/share
upside to a level | 160 money/share | 200 / a - 1 | 0.25 ratio
a percentage of an amount | 15 percent, 2400 money | a * b | 360 money
tax by a rate | 25.6 percent, 61372 money | b - a * b | 45660.768 money
an amount raised by a percentage | 1234.56 money, 7.5 percent | a * (1 + b) | 1327.152 money
one plus a percentage | 5 percent | 1 + a | 1.05 ratio
two raises in a row | 5 percent, 10 percent | percent((1 + a) * (1 + b) - 1) | 15.5 percent
ratio of two percentages | 39.1 percent, 13 percent | a / b | 3.00769230769 ratio
difference in points of an index | 5969.34 points, 5948.71 points | a - b | 20.63 points
change of an index | 5969.34 points, 5948.71 points | growth(a, b) | 0.346797877187 percent
sum of segments | 0.1 money, 0.2 money, 0.7 money | a + b + c | 1 money
sum that cancels | 0.1 money, 0.2 money, 0.3 money | a + b - c | 0 money
difference of large amounts | 1000000000000.25 money, 999999999999.75 money | a - b | 0.5 money
largest of quarters | 10.2 money, 11.9 money, 9.8 money | max(a, b, c) | 11.9 money
smallest of quarters | 10.2 money, 11.9 money, 9.8 money | min(a, b, c) | 9.8 money
absolute change | 97.6 money, 120.1 money | abs(a - b) | 22.5 money
amount in millions | 215639000000 money | a / 1e6 | 215639 money
income per employee | 45687000000 money, 116000 count | a / b | 393853.448276 money
weighted average of two margins | 40 percent, 300 money, 20 percent, 100 money | percent((a * b + c * d) / (b + d)) | 35 percent
contribution to growth | 136700 money, 155041 money, 233715 money | share(a - b, c) | -7.84759215284 percent
total return with a dividend | 110.5 money/share, 2.28 money/share, 105.3 money/share | percent((a + b - c) / c) | 7.10351377018 percent
`;

/** All questions. */
export const ARITHMETIC_CASES: readonly ArithmeticCase[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [title = "", facts = "", expression = "", answer = ""] = line.split(" | ");
    return { title, expression, facts: facts.split(", ").map(toAmount), answer: toAmount(answer) };
  });

function toAmount(text: string): Amount {
  const [value, unit] = text.split(" ");
  return { value: Number(value), unit: UNIT.parse(unit) };
}
