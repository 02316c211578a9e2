import { addressKey } from '../../src/domain/address/address-key.ts';
import { chainName } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import { freezingRequests } from '../../src/questions/cases/requests/freezing-requests.ts';
import { indicatorOf } from '../../src/risk/scoring/detectors.ts';
import { detectorName } from '../../words/describe.ts';
import type { PackageWords } from '../../words/en/reports.ts';
import { FORMS, grouped, moment, usd } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { withTag } from '../../words/request-lines.ts';
import { WORDS } from '../../words/words.ts';
import { levelText } from '../sections/identity.ts';
import { assetsText } from '../sections/texts.ts';
import { type EndRow, rulesSentence } from '../story/ends.ts';
import type { Parties } from '../story/parties.ts';
import { whereRows } from '../story/where-rows.ts';
import { type DocxBlock, docxFacts, docxHeading, docxParagraph, docxTable } from './docx-blocks.ts';
import { noFinding, strongestFindings } from './narrative.ts';

/** Rows of wallets; the CSV has all. */
const WALLETS_MAX = 100;

/** All that the texts name, with their addresses in full. */
export function walletsTable({ report, language }: PackageInputs, { all }: Parties): DocxBlock {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const records = [...report.addresses.map(({ record }) => record), ...(report.others ?? [])];
  const byKey = new Map(records.map((record) => [addressKey(record.chain, record.address), record]));
  const named = new Set(all.map(({ key }) => key));
  const rest = [...byKey].filter(([key]) => !named.has(key)).map(([, record]) => record);
  const rows = [...all, ...rest.map(({ chain, address, label }) => ({ code: '', chain, address, name: label }))];
  return docxTable(
    [
      { title: say.code, width: 0.1 },
      { title: words.chain, width: 0.11 },
      { title: words.address, width: 0.41, mono: true },
      { title: say.fullName, width: 0.13 },
      { title: words.role, width: 0.15 },
      { title: words.level, width: 0.1 },
    ],
    rows.slice(0, WALLETS_MAX).map(({ code, chain, address, name }) => {
      const record = byKey.get(addressKey(chain, address));
      const level = record?.last_risk_level;
      return [
        code,
        chainName(chain),
        address,
        name ?? '',
        record ? WORDS[language].cases.roles[record.role] : '',
        level ? levelText({ words, language }, level, record.labels_changed_since) : '',
      ];
    }),
  );
}

/** The same table as on page 1 of the evidence. */
export function whereTable(
  { report, language }: PackageInputs,
  rows: readonly EndRow[],
  parties: Parties,
): DocxBlock[] {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const { ends, sum, kept, hasRange } = whereRows(report, rows, parties);
  const rules = rulesSentence(rows, language);
  const cells = [...ends, ...sum, ...kept];
  if (cells.length === 0) return [docxParagraph(say.nowNothing)];
  return [
    docxTable(
      [
        { title: say.whereWho, width: hasRange ? 0.24 : 0.28 },
        { title: say.whereWhat, width: hasRange ? 0.19 : 0.24 },
        { title: say.quantities, width: hasRange ? 0.14 : 0.17 },
        { title: words.amount, width: hasRange ? 0.16 : 0.18 },
        ...(hasRange ? [{ title: say.rangeByRule, width: 0.16 }] : []),
        { title: words.share, width: hasRange ? 0.11 : 0.13 },
      ],
      cells,
    ),
    ...(rules ? [docxParagraph(rules)] : []),
  ];
}

/** The services where money arrived, by name, with what to ask them for. */
export function servicesPart({ report, language }: PackageInputs): DocxBlock[] {
  const { report: words, story: say, requests: ask } = WORDS[language];
  const requests = report.money ? freezingRequests(report.case.id, report.money.sent) : [];
  if (requests.length === 0) return [docxParagraph(say.noAsks)];
  return [
    docxParagraph(say.asksIntro),
    docxTable(
      [
        { title: words.label, width: 0.22 },
        { title: say.depositAddresses, width: 0.42, mono: true },
        { title: say.quantities, width: 0.18 },
        { title: words.amount, width: 0.18 },
      ],
      requests.map(({ service, addresses, assets, usd: amount }) => [
        service,
        addresses
          .map(({ chain, address, destination_tag: tag }) => `${chainName(chain)}\n${withTag(address, tag, ask)}`)
          .join('\n'),
        assetsText(assets, language),
        usd(amount, language),
      ]),
    ),
  ];
}

export function activityPart({ totals, report, language }: PackageInputs, say: PackageWords): DocxBlock[] {
  const words = WORDS[language].report;
  const sums = docxFacts([
    ...(report.money ? [{ name: say.tracked, value: usd(report.money.sent.total_usd, language) }] : []),
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.transactions, value: grouped(totals.counted, language) },
    { name: say.unpriced, value: grouped(totals.unpriced, language) },
  ]);
  if (totals.largest.length === 0) return [sums];
  return [
    sums,
    docxHeading(say.largest, 2),
    docxTable(
      [
        { title: say.row, width: 0.07 },
        { title: words.time, width: 0.14 },
        { title: `${words.chain} / ${words.transaction}`, width: 0.33, mono: true },
        { title: `${words.from} / ${words.to}`, width: 0.27, mono: true },
        { title: words.amount, width: 0.19 },
      ],
      totals.largest.map((one) => [
        String(one.rowNo),
        moment(one.at, language),
        `${chainName(one.chain)}\n${one.txHash}`,
        `${one.from}\n→${one.to}`,
        `${grouped(one.amount, language)} ${one.asset}\n${grouped(one.usd, language)} USD`,
      ]),
    ),
  ];
}

export function indicatorsPart(report: CaseReportInput, language: Language, say: PackageWords): DocxBlock[] {
  const found = groupBy(strongestFindings(report), ({ detection }) => detection.detector_id);
  if (found.size === 0) return [docxParagraph(noFinding(report, language))];
  const judgements = WORDS[language].cases.dispositions;
  const { bracketed, comma } = FORMS[language];
  return [
    docxTable(
      [
        { title: WORDS[language].report.findings, width: 0.3 },
        { title: WORDS[language].report.disposition, width: 0.2 },
        { title: say.indicator, width: 0.25 },
        { title: say.referenceCase, width: 0.25 },
      ],
      [...found].map(([id, all]) => {
        const group = indicatorOf(id);
        const judged = groupBy(all, ({ judgement }) => (judgement ? judgements[judgement.disposition] : say.unjudged));
        return [
          detectorName(id, language),
          [...judged].map(([word, { length }]) => (judged.size === 1 ? word : bracketed(word, length))).join(comma),
          group === null ? '–' : say.indicatorGroups[group],
          say.fillIn,
        ];
      }),
    ),
    docxParagraph(say.indicatorsNote, { faint: true }),
  ];
}

export function attachmentsTable(files: readonly PackageFile[], say: PackageWords): DocxBlock {
  return docxTable(
    [
      { title: say.evidenceNumber, width: 0.13 },
      { title: say.file, width: 0.2 },
      { title: 'SHA-256', width: 0.67, mono: true },
    ],
    files.map(({ name, sha256 }, index) => [String(index + 1), name, sha256]),
  );
}
