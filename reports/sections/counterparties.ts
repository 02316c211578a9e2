import { explorerLink } from '../../src/domain/chain.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import type { ScanAnswer } from '../../src/questions/scans/record-scan.ts';
import { nobodyText } from '../../words/describe.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { type Section, sourceText, wordFor } from './section.ts';
import { dayText } from './texts.ts';

/** The largest counterparties of a scan, with what labels and own scans know of each; `nameOf`: the name that a case gives it. */
export function counterpartiesTable(
  section: Section,
  scan: ScanAnswer,
  { parties, chain, holder }: AddressReportInput,
  { max, nameOf = () => null }: { max: number; nameOf?: (address: string) => string | null },
): void {
  const { pdf, words, language } = section;
  const { bracketed, comma } = FORMS[language];
  const known = new Map(parties.map((party) => [party.address, party]));
  const top = scan.top_counterparties.slice(0, max);
  const held = new Set(holder?.members.flatMap((one) => (one.chain === chain ? [one.address] : [])));
  pdfTable(
    pdf,
    [
      { title: words.counterparties, width: 0.4, mono: true },
      { title: words.label, width: 0.16 },
      { title: words.category, width: 0.12 },
      { title: words.ownScan, width: 0.12 },
      { title: words.asset, width: 0.07 },
      { title: words.transactions, width: 0.13, align: 'right' },
    ],
    top.map((party) => {
      const { label = null, category = party.category, scan: own = null } = known.get(party.address) ?? {};
      return [
        { text: party.address, link: explorerLink(chain, 'address', party.address) },
        nameOf(party.address) ??
          (label
            ? bracketed(label.label, sourceText(section, label.source))
            : (party.label ??
              (held.has(party.address) ? words.holders.same : (nobodyText(party.address, language) ?? '')))),
        wordFor(section, category),
        own
          ? [
              `${WORDS[language].story.levels[own.risk_level]} ${own.risk_score}`,
              dayText(own.created_at, language),
            ].join('\n')
          : '',
        Object.keys(party.value_by_asset).slice(0, 5).join(comma),
        grouped(party.tx_count, language),
      ];
    }),
  );
  const count = Number(scan.metadata.counterparty_count ?? scan.top_counterparties.length);
  if (count <= top.length) return;
  const shown = { shown: grouped(top.length, language), count: grouped(count, language) };
  pdfParagraph(pdf, fill(words.shownOf, shown), { faint: true });
}

/** The same as one line of names. */
export function counterpartiesLine(section: Section, scan: ScanAnswer, { parties }: AddressReportInput): string {
  const known = new Map(parties.map((party) => [party.address, party]));
  const named = scan.top_counterparties.slice(0, 3).map((party) => {
    const { label = null, category = party.category } = known.get(party.address) ?? {};
    const name = label?.label ?? party.label;
    const nobody = name ? null : nobodyText(party.address, section.language);
    return nobody ?? FORMS[section.language].bracketed(name ?? party.address, wordFor(section, category));
  });
  return named.join(FORMS[section.language].comma) || section.words.none;
}
