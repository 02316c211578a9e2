interface ColumnSpec {
  type: 'text' | 'integer' | 'decimal' | 'time';
  /** What the column holds, in which unit; empty fields are unknown. */
  about: string;
}

/** The columns of the transactions of a report package, in order; `columns.json` shows them as they are here. */
const PACKAGE_COLUMNS = {
  row_no: { type: 'integer', about: 'from 1' },
  case_id: { type: 'text', about: 'the case' },
  report_id: { type: 'text', about: 'the generation id of the report package' },
  subject_address: { type: 'text', about: 'the address of the case that the row is about; the first one of the case' },
  chain_id: { type: 'text', about: 'CAIP-2' },
  chain_name: { type: 'text', about: 'the chain' },
  tx_hash: { type: 'text', about: 'the transaction' },
  transfer_index: { type: 'text', about: 'place in the transaction: `native`, `log:12`, `trace:0_1`, `out:3`' },
  block_number: { type: 'integer', about: 'number, slot or ledger of the block' },
  block_hash: { type: 'text', about: 'the block that was read' },
  block_time_utc: { type: 'time', about: 'ISO 8601, UTC' },
  block_time_jst: { type: 'time', about: 'ISO 8601, +09:00' },
  tx_status: { type: 'text', about: '`success`: failed transactions move nothing and are not listed' },
  direction: { type: 'text', about: '`in`, `out` or `self`, as the subject address sees it' },
  from_address: { type: 'text', about: 'sender' },
  to_address: { type: 'text', about: 'receiver' },
  tx_sender: { type: 'text', about: 'signer of the transaction' },
  counterparty_address: { type: 'text', about: 'the other side' },
  counterparty_category: { type: 'text', about: 'category of the best label of the other side' },
  counterparty_name: { type: 'text', about: 'owner, else the label' },
  label_source: { type: 'text', about: 'the list that states it, and its day' },
  label_confidence: { type: 'decimal', about: '0 to 1' },
  asset_symbol: { type: 'text', about: 'as on the chain' },
  asset_type: { type: 'text', about: '`native`, `erc20`, `erc721`, `erc1155` or `other`' },
  token_contract: { type: 'text', about: 'contract, mint or issuer; empty for the coin of the chain' },
  token_id: { type: 'text', about: 'of an NFT' },
  token_decimals: { type: 'integer', about: 'decimals of the asset' },
  amount_raw: { type: 'text', about: 'smallest units' },
  amount: { type: 'decimal', about: 'units of the asset' },
  price_usd: { type: 'decimal', about: 'US dollars a unit, from value_usd and amount' },
  value_usd: { type: 'decimal', about: 'US dollars at the time of the transfer' },
  usd_jpy_rate: { type: 'decimal', about: 'yen a US dollar on that day' },
  value_jpy: { type: 'integer', about: 'yen, rounded half up' },
  price_source: { type: 'text', about: '`recorded`: the value kept with the transfer when it was read; `unpriced`' },
  fee_native: { type: 'decimal', about: 'coin of the chain; on the first row of the transaction only' },
  method: { type: 'text', about: 'four-byte selector or name' },
  exposure_tier: {
    type: 'text',
    about:
      '`direct`: with a party labelled as illicit; `indirect`: money of one was traced through it; `none`: neither was found',
  },
  hop_distance: {
    type: 'integer',
    about: 'transfers to that party on the evidence path; empty where the path is not shown',
  },
  tainted_value_usd: {
    type: 'decimal',
    about: 'of direct ones the value, of indirect ones the part that was traced to illicit parties by haircut',
  },
  detector_ids: { type: 'text', about: 'detections whose evidence names the transfer, separated by `;`' },
  severity: { type: 'text', about: 'the highest of these detections' },
  reason_ja: {
    type: 'text',
    about:
      'a sentence of each of these detections and of each crossing of a bridge that an analyst confirmed, in Japanese',
  },
  evidence_sha256: {
    type: 'text',
    about: 'SHA-256 of the JSON of the transfer and of the label of the other side, fields sorted by name',
  },
} as const satisfies Record<string, ColumnSpec>;

export type PackageColumn = keyof typeof PACKAGE_COLUMNS;
export const PACKAGE_COLUMN_NAMES = Object.keys(PACKAGE_COLUMNS) as PackageColumn[];

/** Columns that hold numbers or times of ours: nothing in them can be a formula. */
export const SAFE_COLUMNS: ReadonlySet<PackageColumn> = new Set(
  PACKAGE_COLUMN_NAMES.filter((name) => PACKAGE_COLUMNS[name].type !== 'text'),
);

/** The content of columns.json. */
export function columnsJson(): string {
  const columns = PACKAGE_COLUMN_NAMES.map((name, index) => ({ number: index + 1, name, ...PACKAGE_COLUMNS[name] }));
  return `${JSON.stringify({ columns }, null, 2)}\n`;
}
