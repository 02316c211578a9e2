import { addressKey } from '../../src/domain/address/address-key.ts';
import { chainName, explorerLink } from '../../src/domain/chain.ts';
import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { authorText, entryText, isNote, timelineEntries } from '../../words/case-event.ts';
import { detectorName } from '../../words/describe.ts';
import type { CaseWords } from '../../words/en/codes.ts';
import { capitalized } from '../../words/en/forms.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { ensureSpace } from '../pdf/document.ts';
import { pdfTable, type TableRow } from '../pdf/table.ts';
import { accuracySection, rulesUsed } from '../sections/accuracy.ts';
import { listSection, methodSection } from '../sections/coverage.ts';
import { confirmedSection } from '../sections/crossings.ts';
import { holdersSection } from '../sections/holders.ts';
import { levelText } from '../sections/identity.ts';
import type { Room } from '../sections/room.ts';
import { type Section, wordFor } from '../sections/section.ts';
import { judgementsAppendix } from './findings-section.ts';
import { fullName, type Parties } from './parties.ts';

/** Addresses that are listed by name. */
const LISTED_MAX = 200;

/** Facts to look up, each once: addresses, judgements, bridges, lists, method, log. */
export function appendices(section: Section, input: CaseReportInput, parties: Parties, room: Room): void {
  codes(section, input, parties);
  judgementsAppendix(section, input, parties, room);
  confirmedSection(section, input.confirmed);
  log(section, input);
  listSection(section, input.addresses[0]?.report.lists ?? null);
  methodSection(section);
  holdersSection(section, input.holders ?? [], (chain, address) =>
    parties.find(chain, address) ? parties.nameOf(chain, address) : null,
  );
  const reports = input.addresses.map(({ report }) => report);
  accuracySection(section, rulesUsed(reports, input.money?.sent, input.holders));
}

function codes(section: Section, { addresses, others = [], language }: CaseReportInput, parties: Parties): void {
  const { pdf, words } = section;
  const say = WORDS[language].story;
  const records = [...addresses.map(({ record }) => record), ...others];
  const byKey = new Map(records.map((record) => [addressKey(record.chain, record.address), record]));
  const named = new Set(parties.all.map(({ key }) => key));
  const all = [
    ...parties.all,
    ...[...byKey]
      .filter(([key]) => !named.has(key))
      .map(([key, { chain, address, label }]) => ({
        ...{ code: '', key, chain, address },
        ...{ name: label, listedAs: null, category: null },
      })),
  ];
  // Where not all have room, wallets that the case does not hold give way.
  const first = all.toSorted((a, b) => Number(byKey.has(b.key)) - Number(byKey.has(a.key))).slice(0, LISTED_MAX);
  const kept = new Set(first);
  const rows = all
    .filter((one) => kept.has(one))
    .map((one): TableRow => {
      const { code, key, chain, address, category } = one;
      const record = byKey.get(key);
      const level = record?.last_risk_level;
      const what = [fullName(one, language), category ? wordFor(section, category) : null]
        .filter(Boolean)
        .join(FORMS[language].comma);
      return [
        code,
        { text: address, link: explorerLink(chain, 'address', address) },
        chainName(chain),
        what,
        record ? WORDS[language].cases.roles[record.role] : '',
        level ? levelText(section, level, record.labels_changed_since) : '',
      ];
    });
  pdfHeading(pdf, 2, say.codesTitle);
  if (all.length > LISTED_MAX) {
    rows.push({ note: fill(words.andMore, { count: grouped(all.length - LISTED_MAX, language) }) });
  }
  pdfTable(
    pdf,
    [
      { title: say.code, width: 0.1 },
      { title: words.address, width: 0.4, mono: true },
      { title: words.chain, width: 0.11 },
      { title: say.fullName, width: 0.17 },
      { title: words.role, width: 0.11 },
      { title: words.level, width: 0.11 },
    ],
    rows,
  );
}

function log({ pdf, words }: Section, { notes, notesTotal = notes.length, language }: CaseReportInput): void {
  if (notes.length === 0) return;
  const say = WORDS[language].cases;
  const rows = timelineEntries(notes).map((entry) => [
    moment(entry[0].created_at, language),
    ...noteCells(entry, say, language),
  ]);
  // The first entry may name many addresses: the title stays with it.
  const lines = (rows[0]?.at(-1) ?? '').split('\n').length;
  ensureSpace(pdf, Math.min(340, 90 + 11 * lines));
  pdfHeading(pdf, 2, WORDS[language].story.logTitle);
  pdfTable(
    pdf,
    [
      { title: words.time, width: 0.22 },
      { title: words.author, width: 0.14 },
      { title: words.note, width: 0.64 },
    ],
    rows,
  );
  if (notesTotal <= notes.length) return;
  const count = { shown: grouped(notes.length, language), total: grouped(notesTotal, language) };
  pdfParagraph(pdf, fill(words.leftOutNotes, count));
}

/**
 * Returns author and text of an entry of the timeline; what a person wrote begins with its kind.
 *
 * @internal
 */
export function noteCells(
  entry: readonly [CaseNoteRecord, ...CaseNoteRecord[]],
  say: CaseWords,
  language: Language,
): [author: string, text: string] {
  const [note] = entry;
  const text = entryText(entry, say, (id) => detectorName(id, language));
  return [
    authorText(note, say),
    isNote(note) ? FORMS[language].labelled(capitalized(say.noteTypes)[note.note_type], text) : text,
  ];
}
