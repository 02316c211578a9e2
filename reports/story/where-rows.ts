import { addressKey } from '../../src/domain/address/address-key.ts';
import { sumByAsset } from '../../src/domain/amount.ts';
import { isOneAmount } from '../../src/domain/tracing/funds-row.ts';
import type { CaseMoney } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { usd } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { assetsText } from '../sections/texts.ts';
import { type EndRow, shareOf } from './ends.ts';
import { type Parties, subjectsText } from './parties.ts';

/** The cells of the table "Where the money is": the ends with their sum, below it what the subjects themselves kept. */
export function whereRows(
  { money, language }: CaseReportInput,
  ends: readonly EndRow[],
  parties: Parties,
): { ends: string[][]; sum: string[][]; kept: string[][]; hasRange: boolean } {
  const say = WORDS[language].story;
  // Where no row depends on the rule, a sentence says it once.
  const hasRange = ends.every(({ range }) => range) && ends.some(({ range }) => range && !isOneAmount(range));
  const ranged = (cell: string) => (hasRange ? [cell] : []);
  const kept = money && keptOf(money, parties, language);
  return {
    ends: ends.map((row) => [
      row.name,
      row.what,
      assetsText(row.assets, language),
      usd(row.usd, language),
      ...ranged(rangeText(row, language)),
      shareOf([row], ends, language),
    ]),
    sum:
      ends.length > 0
        ? [
            [
              ...[say.total, '', '', usd(money?.sent.total_usd ?? 0, language)],
              ...[...ranged(''), shareOf(ends, ends, language)],
            ],
          ]
        : [],
    kept: kept ? [[kept.subjects, say.heldBySubjects, kept.assets, kept.usd, ...ranged(''), '']] : [],
    hasRange,
  };
}

function rangeText({ range }: EndRow, language: Language): string {
  if (range === null) return '';
  if (isOneAmount(range)) return WORDS[language].story.sameByRule;
  return `${usd(range.least_usd, language)} –\n${usd(range.most_usd, language)}`;
}

/** Returns what the subjects did not send on when they were last read; null for nothing. */
export function keptOf({ kept }: CaseMoney, parties: Parties, language: Language) {
  const keptUsd = kept.reduce((sum, row) => sum + row.usd, 0);
  if (keptUsd < 0.005) return null;
  const keys = kept.flatMap(({ chain, address }) => (chain && address ? [addressKey(chain, address)] : []));
  return {
    usd: usd(keptUsd, language),
    assets: assetsText(sumByAsset(kept.map(({ assets }) => assets)), language),
    subjects: subjectsText(parties, language, keys),
  };
}
