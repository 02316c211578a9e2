import type { GraphContext, LabelsContext, RecordsContext } from '../../src/context.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { SignedSet } from '../../src/labels/signed-labels.ts';
import type { Prices } from '../../src/prices/port.ts';
import type { BridgeContractRow } from '../../src/records/database/tables/bridges.ts';
import type { DailyPrice } from '../../src/records/database/tables/prices.ts';
import type { Input } from './input.ts';
import type { AskedTable } from './table-format.ts';
import type { Tally } from './tally.ts';

/** The stores that a load writes to. */
export interface Stores extends RecordsContext, GraphContext, LabelsContext {
  prices: Prices;
}

/** The source and the report of a transformation. Every row it takes counts as read, every row it drops as skipped. */
export interface Work extends Input {
  tally: Tally;
  /** Families of label sources for which the input may not speak. */
  reserved: ReadonlySet<string>;
  /** Set for a table of transfers: the facts that it does not state itself. */
  table?: AskedTable;
  /** Epoch ms. */
  now: number;
  signal?: AbortSignal;
}

interface Transformation<Row> {
  /** Input of the source, as a refusal names it. */
  format: string;
  /** Which files of a folder belong to the source, by their name without `.gz`. */
  accepts(name: string): boolean;
  read(work: Work): AsyncIterable<Row>;
}

/** A label as a list has it, with the domains at which its scam was met. */
export interface ListedLabel extends Label {
  domains?: string[];
}

export interface LabelLoader extends Transformation<ListedLabel> {
  kind: 'labels';
  /** False for single statements: nothing ends by not being in the file. */
  isList: boolean;
  /** Label sources that a load speaks for as a whole, even when it holds no row of them. */
  speaksFor?(input: Input): string[];
}

export interface TransferLoader extends Transformation<Transfer> {
  kind: 'transfers';
  /** True if its files can hold transfers inside contracts. */
  hasInternal: boolean;
  /** Facts that its files may lack, and the operator state. */
  asks: readonly (keyof AskedTable)[];
}

export interface PriceLoader extends Transformation<DailyPrice> {
  kind: 'prices';
}

export interface BridgeLoader extends Transformation<BridgeContractRow> {
  kind: 'bridges';
}

/** A domain of a scam, and the list that names it. */
export interface ListedDomain {
  domain: string;
  source: string;
}

export interface DomainLoader extends Transformation<ListedDomain> {
  kind: 'domains';
}

export interface SignedLoader extends Transformation<SignedSet> {
  kind: 'signed';
}

export type Loader = LabelLoader | SignedLoader | TransferLoader | PriceLoader | BridgeLoader | DomainLoader;

export function hasEnding(...endings: string[]): (name: string) => boolean {
  return (name) => endings.some((ending) => name.toLowerCase().endsWith(ending));
}
