import { chainName, explorerLink } from '../../src/domain/chain.ts';
import { dayOf } from '../../src/domain/time.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import type { ReportHolder } from '../../src/questions/cases/report/gather-holders.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable, type TableRow } from '../pdf/table.ts';
import { falseJoins } from './accuracy.ts';
import { moneySection } from './money.ts';
import { type Section, type Wording, wordFor } from './section.ts';

/** The money of the holder of an address: all that it holds as one party, without what its addresses pay each other. */
export function holderMoneySection(section: Section, { holder, chain }: AddressReportInput, rowsMax: number): void {
  if (!holder) return;
  const { pdf, words, outline } = section;
  const inside = { ...section, outline: pdfHeading(pdf, 2, words.holders.money, outline) };
  pdfParagraph(pdf, holderText(section, holder), { faint: true });
  moneySection(inside, { ...(holder.money ?? { funds: null, exposure: null }), chain }, { rowsMax, withWays: false });
}

/** Says which addresses are taken as those of one holder, by which rule and transaction, and how often the rules err. */
export function holdersSection(
  section: Section,
  holders: readonly ReportHolder[],
  nameOf: (chain: string, address: string) => string | null = () => null,
): void {
  if (holders.length === 0) return;
  const { pdf, words, language, outline } = section;
  const say = words.holders;
  const inside = pdfHeading(pdf, 2, say.title, outline);
  pdfParagraph(pdf, say.intro, { faint: true });
  for (const basis of new Set(holders.flatMap(({ members }) => members.map((one) => one.basis)))) {
    pdfParagraph(pdf, FORMS[language].labelled(say.bases[basis], falseJoins(basis, language) ?? say.asTheList));
  }
  for (const holder of holders) {
    const { members, size } = holder;
    pdfHeading(pdf, 3, holder.name ?? say.unnamed, inside);
    pdfParagraph(pdf, holderText(section, holder), { faint: true });
    const rows = members.map(({ chain, address, basis, tx_hash, at }): TableRow => {
      const name = [chainName(chain), nameOf(chain, address)].filter(Boolean).join(' ');
      const day = at && FORMS[language].date(dayOf(Date.parse(at)));
      return [
        { text: address, link: explorerLink(chain, 'address', address) },
        FORMS[language].labelled(name, [say.bases[basis], day].filter(Boolean).join(FORMS[language].comma)),
        tx_hash === null ? say.byList : { text: tx_hash, link: explorerLink(chain, 'tx', tx_hash) },
      ];
    });
    const left = size - members.length;
    pdfTable(
      pdf,
      [
        { title: words.address, width: 0.29, mono: true },
        { title: say.rule, width: 0.28 },
        { title: words.transaction, width: 0.43, mono: true },
      ],
      [...rows, ...(left > 0 ? [{ note: fill(words.andMore, { count: grouped(left, language) }) }] : [])],
    );
  }
}

function holderText({ words, language }: Wording, holder: ReportHolder): string {
  const { name, category, size, basis } = holder;
  const who = [name, category ? wordFor({ words, language } as Section, category) : null].filter(Boolean);
  return fill(words.holders.party, {
    who: who.join(FORMS[language].comma) || words.holders.unnamed,
    size: grouped(size, language),
    basis: words.holders.bases[basis],
  });
}
