/**
 * All questions that are written down.
 */
import { parseQuestions } from "../question-lines.ts";
import type { Question } from "../question.ts";
import { ANALYSIS } from "./analysis.ts";
import { CONVERSATION } from "./conversation.ts";
import { CRYPTO } from "./crypto.ts";
import { FUNDAMENTAL } from "./fundamental.ts";
import { IDENTITY } from "./identity.ts";
import { MARKET } from "./market.ts";
import { OFFICIAL } from "./official.ts";
import { PERSONAL } from "./personal.ts";
import { PRICE } from "./price.ts";
import { TECHNICAL } from "./technical.ts";

/** Every written question. */
export const QUESTIONS: readonly Question[] = [
  PRICE,
  TECHNICAL,
  FUNDAMENTAL,
  MARKET,
  CRYPTO,
  ANALYSIS,
  IDENTITY,
  CONVERSATION,
  PERSONAL,
  OFFICIAL,
].flatMap((text) => parseQuestions(text));
