import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';

/** The columns of the transactions of a report package, in order, with their types. */
const PACKAGE_COLUMNS = {
  row_no: 'integer',
  case_id: 'text',
  report_id: 'text',
  subject_address: 'text',
  chain_id: 'text',
  chain_name: 'text',
  tx_hash: 'text',
  transfer_index: 'text',
  block_number: 'integer',
  block_hash: 'text',
  block_time_utc: 'time',
  block_time_jst: 'time',
  tx_status: 'text',
  direction: 'text',
  from_address: 'text',
  to_address: 'text',
  tx_sender: 'text',
  counterparty_address: 'text',
  counterparty_category: 'text',
  counterparty_name: 'text',
  label_source: 'text',
  label_confidence: 'decimal',
  asset_symbol: 'text',
  asset_type: 'text',
  token_contract: 'text',
  token_id: 'text',
  token_decimals: 'integer',
  amount_raw: 'text',
  amount: 'decimal',
  price_usd: 'decimal',
  value_usd: 'decimal',
  usd_jpy_rate: 'decimal',
  value_jpy: 'integer',
  price_source: 'text',
  fee_native: 'decimal',
  method: 'text',
  exposure_tier: 'text',
  hop_distance: 'integer',
  tainted_value_usd: 'decimal',
  detector_ids: 'text',
  severity: 'text',
  reason_ja: 'text',
  evidence_sha256: 'text',
} as const satisfies Record<string, 'text' | 'integer' | 'decimal' | 'time'>;

export type PackageColumn = keyof typeof PACKAGE_COLUMNS;
export const PACKAGE_COLUMN_NAMES = Object.keys(PACKAGE_COLUMNS) as PackageColumn[];

/** Columns that hold numbers or times of ours: nothing in them can be a formula. */
export const SAFE_COLUMNS: ReadonlySet<PackageColumn> = new Set(
  PACKAGE_COLUMN_NAMES.filter((name) => PACKAGE_COLUMNS[name] !== 'text'),
);

/** The content of columns.json, in the language of the package. */
export function columnsJson(language: Language): string {
  const about = WORDS[language].columns;
  const columns = PACKAGE_COLUMN_NAMES.map((name, index) => ({
    number: index + 1,
    name,
    type: PACKAGE_COLUMNS[name],
    about: about[name],
  }));
  return `${JSON.stringify({ columns }, null, 2)}\n`;
}
