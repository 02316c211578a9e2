import { wordOf } from '../../words/describe.ts';
import { FORMS, trimmed } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { chainName } from '../domain/chain.ts';
import type { SummaryFacts } from './port.ts';

const NAMED_MAX = 3;

/** The summary by rules: the same facts give the same sentences. */
export function writeSummary(facts: SummaryFacts, lang: Language): string {
  const say = WORDS[lang].summary;
  const levels: Record<string, string> = WORDS[lang].story.levels;
  const { bracketed, comma } = FORMS[lang];
  const detections = facts.detections
    .slice(0, NAMED_MAX)
    .map(({ name, severity }) => bracketed(name, lookUp(levels, severity)));
  const parties = facts.counterparties
    .slice(0, NAMED_MAX)
    .map(({ label, category }) => bracketed(label, wordOf(category, lang)));
  const { transactions } = facts;
  return [
    say.rated({ chain: chainName(facts.chain), level: lookUp(levels, facts.risk_level), score: facts.risk_score }),
    detections.length === 0
      ? say.noDetection
      : say.detections(facts.detections.length, detections.join(comma), facts.detections.length - detections.length),
    say.money(
      { count: transactions, text: FORMS[lang].number(trimmed(transactions, 0)) },
      amounts(facts.received, lang),
      amounts(facts.sent, lang),
    ),
    parties.length === 0 ? say.noParties : say.parties(parties.join(comma)),
  ].join(say.space);
}

function amounts(of: Record<string, number>, lang: Language): string {
  const { comma, number } = FORMS[lang];
  const entries = Object.entries(of);
  if (entries.length === 0) return WORDS[lang].summary.nothing;
  const listed = entries.slice(0, NAMED_MAX).map(([asset, amount]) => `${number(trimmed(amount, 18))} ${asset}`);
  return listed.join(comma) + (entries.length > NAMED_MAX ? `${comma}…` : '');
}
