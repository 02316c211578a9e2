import { type Category, isCategory, type Label } from '../../src/domain/label.ts';
import { sourceFamily } from '../../src/labels/label-order.ts';
import { readCsv } from '../reading/csv.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { parseEnd, parseMoment } from '../reading/moments.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { isLabelChain, labelOf, shown, visibleAddress } from './label-row.ts';

const COLUMNS = [
  'chain',
  'address',
  'category',
  'label',
  'source',
  'confidence',
  'entity',
  'valid_from',
  'valid_to',
] as const;
/** A file may have the column `programme` too. */
type Cells = Record<(typeof COLUMNS)[number], string> & { programme?: string };

const CONFIDENCE = 80;

/** The operator's own labels as CSV. */
export const labelsLoader: LabelLoader = {
  kind: 'labels',
  format: `CSV with the header ${COLUMNS.join(',')}`,
  isList: false,
  accepts: hasEnding('.csv'),
  read,
};

async function* read({ files, tally, isFolder, reserved, signal }: Work): AsyncGenerator<Label> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    for await (const { line, cells } of readCsv(file, COLUMNS, own, signal)) {
      const label = toLabel(cells as Cells, line, own, reserved);
      if (label) yield label;
    }
  }
}

function toLabel(cells: Cells, line: number, tally: Tally, reserved: Work['reserved']): Label | null {
  const chain = cells.chain.toLowerCase();
  const category = cells.category.toLowerCase();
  const confidence = cells.confidence === '' ? CONFIDENCE : Number(cells.confidence);
  const validFrom = cells.valid_from === '' ? null : parseMoment(cells.valid_from);
  const validTo = cells.valid_to === '' ? null : parseEnd(cells.valid_to);
  const problem = !isLabelChain(chain)
    ? `unsupported chain: ${shown(cells.chain)}`
    : !isCategory(category)
      ? `unknown category: ${shown(cells.category)}`
      : Number.isNaN(confidence)
        ? `confidence is not 0-100: ${shown(cells.confidence)}`
        : cells.valid_from !== '' && validFrom === null
          ? `valid_from is not a date: ${shown(cells.valid_from)}`
          : cells.valid_to !== '' && validTo === null
            ? `valid_to is not a date: ${shown(cells.valid_to)}`
            : null;
  if (problem) {
    if (!isCategory(category)) tally.unmapped('category', cells.category);
    tally.skip(line, problem);
    return null;
  }
  const label = labelOf(
    {
      chain: chain as Label['chain'],
      address: visibleAddress(cells.address, line, tally),
      category: category as Category,
      label: cells.label,
      source: cells.source || 'operator',
      confidence,
      entity: cells.entity,
      validFrom,
      validTo,
      programme: cells.programme,
    },
    line,
    tally,
  );
  if (label === null || !reserved.has(sourceFamily(label.source.toLowerCase()))) return label;
  tally.skip(line, `${shown(label.source)} is the name of another list: a kept list speaks in its own`);
  return null;
}
