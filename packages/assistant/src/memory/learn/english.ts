/**
 * English: how people say in English who they are and what they prefer.
 */
import {
  asAge,
  asDenial,
  asFavourite,
  asFixed,
  asGoal,
  asGreetedName,
  asName,
  asNameDenial,
  asTaste,
  asTasteDenial,
  asText,
  asTimeZone,
  asTrait,
  defineRules,
} from "./rule.ts";

const VERY =
  "?very|quite|rather|pretty|fairly|more|really|generally|mostly|extremely|somewhat|still|also|basically|now";
const PERSON = "?investor|investors|person|trader|saver|type|kind|guy|woman|man|one|player";
const ANSWERS = "answers|replies|responses|explanations|summaries|answer|reply|response";

/** The rules. */
export const ENGLISH = defineRules("en", {
  requests: [
    {
      patterns: `do not call me *
        stop calling me *`,
      read: asNameDenial,
    },
    {
      patterns: `call me *
        ?you can|may|should|could call me *
        refer to me as *
        address me as *
        set my name to *
        change my name to *`,
      read: asName,
    },
    { patterns: "do not answer|reply|respond|speak|write|talk ?to ?me in {lang}", read: asDenial("language", "lang") },
    {
      patterns: `answer|reply|respond|speak|talk|write|explain|communicate|chat ?to|with ?me ?only ?always in {lang}
        speak {lang} ?to|with ?me
        use ?the {lang} ?language
        switch to {lang}
        give|send|write|show ?me ?all|your ${ANSWERS} in {lang}
        ${ANSWERS} in {lang}`,
      read: asTrait("language", "lang"),
    },
    {
      patterns: `keep it|them|things|everything ?very {detail}
        keep ?all|your|the ${ANSWERS} ?very {detail}
        be ?very|more {detail}
        give|send|write|show ?me ?always ?more|very {detail} ${ANSWERS}
        ?more {detail} ${ANSWERS}
        answer|reply|respond|write ?more {detail}`,
      read: asTrait("detail", "detail"),
    },
    {
      patterns: `use ?the {units} ?units|system|measurements
        show|give|display ?me ?everything|all ?in {units} ?units|system`,
      read: asTrait("units", "units"),
    },
    {
      patterns: `use {currency} ?as ?my ?the ?currency ?for ?prices|amounts|everything
        show|give|quote|display|report|convert|express ?me ?all ?the ?my prices|amounts|values|figures|numbers|everything|money in|to|into {currency}
        prices|amounts|values in {currency}
        set my currency to {currency}`,
      read: asTrait("currency", "currency"),
    },
    {
      patterns: `set my time zone to *
        set my timezone to *
        use the time zone *
        use the timezone *`,
      read: asTimeZone,
    },
  ],
  statements: [
    {
      patterns: `my ?first|full|last|real|nick name is not *
        i am not called *`,
      read: asNameDenial,
    },
    {
      patterns: `my ?first|full|real|nick|new name is|: ?now *
        my nickname is *
        i am called *
        i go by *
        people|everyone|friends call|calls me *`,
      read: asName,
    },
    { patterns: "i do not speak|understand|read {lang} ?well", read: asDenial("language", "lang") },
    {
      patterns: `i ?only|mostly|usually|always speak|use|prefer|want {lang}
        i prefer|want|like|would ?like|prefer ?to ?get ?your|all ?${ANSWERS} in {lang}
        my ?native|first|preferred|main language is {lang}`,
      read: asTrait("language", "lang"),
    },
    {
      patterns: `i am not ?a|an ?very|so|that|really|too {risk} ${PERSON} ?any ?anymore ?more
        i am no longer ?a|an ?so|that {risk} ${PERSON}
        i used to be ?a|an ?very {risk} ${PERSON}`,
      read: asDenial("risk", "risk"),
    },
    {
      patterns: `i am ?a|an ${VERY} {risk} ${PERSON}
        i am ?a|an ${PERSON} who is ${VERY} {risk}
        i consider|call myself ?a|an ?as ${VERY} {risk} ${PERSON}
        i have become ${VERY} {risk}
        i became ${VERY} {risk}
        i prefer ?a|an {risk} investments|approach|strategy|investing|portfolio|style
        my ?investment|investing ?approach|strategy|style is|: ${VERY} {risk}`,
      read: asTrait("risk", "risk"),
    },
    {
      patterns: `my risk tolerance|appetite|profile|attitude|level is|: ${VERY} {level}
        i have ?a|an ${VERY} {level} risk tolerance|appetite|profile
        i have ?a|an ${VERY} {level} tolerance|appetite for risk
        i can|could take|tolerate|handle|accept|stomach|bear ?on {level} ?of risk|risks`,
      read: asTrait("risk", "level"),
    },
    {
      patterns: `my risk tolerance|appetite|profile|attitude|level is|: ${VERY} {risk}`,
      read: asTrait("risk", "risk"),
    },
    {
      patterns: `i ?really|also hate|avoid|dislike|fear ?taking ?any|big|high|much|all risk|risks
        i do not ?really like|want|take|enjoy ?to ?take ?taking ?any|big|high|much|too ?much risk|risks
        i can not take|afford|stand ?any|big|high|much ?to ?take risk|risks
        i cannot take|afford|stand ?any|big|high|much risk|risks
        i invest|trade ?very conservatively|cautiously|carefully|defensively`,
      read: asFixed("risk", "cautious"),
    },
    {
      patterns: `i ?really|also like|love|enjoy|take|accept ?to ?take|taking ?big|high|lots ?of risk|risks
        i invest|trade ?very aggressively|boldly`,
      read: asFixed("risk", "aggressive"),
    },
    {
      patterns: `i am ?a|an ${VERY} {horizon} ?investor|holder|trader|thinker
        i invest|hold|think|plan ?only|mostly ?for|in ?the {horizon}
        my ?investment ?time horizon is|: ${VERY} {horizon}`,
      read: asTrait("horizon", "horizon"),
    },
    {
      patterns: `i do not ?really like|want|need ?your long|detailed ${ANSWERS}`,
      read: asFixed("detail", "short"),
    },
    {
      patterns: `i do not ?really like|want ?your short|brief ${ANSWERS}`,
      read: asFixed("detail", "detailed"),
    },
    {
      patterns: `i prefer|like|want|love|would|need ?like|prefer ?your|more {detail} ${ANSWERS}
        i prefer|like|want ?my|your|the ${ANSWERS} ?to ?be {detail}`,
      read: asTrait("detail", "detail"),
    },
    { patterns: "i prefer|use|like|think ?in ?the {units} ?units|system", read: asTrait("units", "units") },
    {
      patterns: `my ?home|base|local|preferred|main ?reporting currency is|: ?the {currency}
        i prefer|use|think|pay|earn|like|calculate ?prices|amounts|to ?in|see ?see ?prices ?in {currency}`,
      read: asTrait("currency", "currency"),
    },
    {
      patterns: `my time zone is|: *
        my timezone is|: *
        i am in|on the * `,
      read: asTimeZone,
    },
    {
      patterns: `i ?now|currently live|reside in|near *
        i am ?now|currently based|located|living in|near *
        i have ?just|recently moved to *
        i ?just|recently moved to *`,
      read: asText("place"),
    },
    { patterns: "i ?currently|now work as ?a|an *", read: asText("occupation") },
    {
      patterns: "i am ?a|an ?complete|total|absolute {experience} ?investor|trader|at|in ?this ?investing|trading",
      read: asTrait("experience", "experience"),
    },
    { patterns: "i am ?very|quite|completely|totally new to *", read: asFixed("experience", "beginner") },
    {
      patterns: `my age is|: *
        i am * `,
      read: (found) => (found.rest[1]?.word === "years" || found.rest.length === 1 ? asAge(found) : undefined),
    },
    {
      patterns: `my ?main|long-term|long|term|biggest|only|next|current|ultimate|investment|investing|financial|life goal|aim|objective|target|dream is|: ?now ?to *
        my ?main|investment|financial goals|aims|objectives are|: ?to *
        i am ?also saving|investing ?up ?money for|to|towards *
        i save|invest ?up ?money ?mainly|mostly for|towards *`,
      read: asGoal,
    },
    {
      patterns: `i ?really want|plan|hope|aim|intend|need to {aim} *
        i am planning|hoping|aiming to {aim} *
        i want|plan|hope|aim to {aim}`,
      read: ({ clause, language, rest, values }) => {
        const to = clause.tokens.findIndex(({ word }) => word === "to");
        return asGoal({ clause, language, values, rest: to === -1 ? rest : clause.tokens.slice(to + 1) });
      },
    },
    { patterns: "my favorite|favourite *", read: asFavourite },
    {
      patterns: `i no longer like|love|enjoy|prefer *
        i stopped liking|loving *
        i used to like|love|prefer|enjoy *
        i am no longer interested in *
        i am no longer into *`,
      read: asTasteDenial("like"),
    },
    {
      patterns: `i no longer hate|dislike|avoid *
        i used to hate|dislike|avoid *
        i do not hate|dislike|mind *`,
      read: asTasteDenial("dislike"),
    },
    {
      patterns: `i do not ?really|particularly|much like|love|enjoy|care *`,
      read: (found) => {
        const last = found.rest.at(-1)?.word;
        const isOver = last === "anymore" || (last === "more" && found.rest.at(-2)?.word === "any");
        return isOver ? asTasteDenial("like")(found) : asTaste("dislike")(found);
      },
    },
    {
      patterns: `i ?really|also|always|strongly|generally|absolutely hate|dislike|avoid|despise|detest *
        i can not stand|bear *
        i am not ?really|very|at ?all interested in *
        i am not ?really ?a ?big fan of *
        i am not ?really into *`,
      read: asTaste("dislike"),
    },
    {
      patterns: `i ?really|also|mostly|particularly|especially|always|still|just|only|do|actually|generally|absolutely|much like|love|prefer|enjoy|favor|favour|adore *
        i am ?very|really|mostly|also|still|mainly|particularly|especially interested in *
        i am ?very|really|mostly|also|still into *
        i am ?very|really keen on *
        i am ?very|really fond of *
        i am ?a ?big|huge|great fan of *`,
      read: asTaste("like"),
    },
    { patterns: "i am *\nthis is *", read: asGreetedName },
  ],
});
