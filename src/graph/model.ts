import { TRANSFER_FIELDS } from '../domain/transfers/transfer.ts';

/** A property of a node or relationship; absent in the graph means unknown. */
export interface Property {
  type: 'text' | 'integer' | 'number' | 'boolean' | 'texts' | 'integers';
  about: string;
  /** True where not every node or relationship has it. */
  optional?: true;
  /** True where a report of transactions shows it. */
  report?: true;
}

type ValueOf<P extends Property> = P['type'] extends 'text'
  ? string
  : P['type'] extends 'boolean'
    ? boolean
    : P['type'] extends 'texts'
      ? string[]
      : P['type'] extends 'integers'
        ? number[]
        : number;

/** The properties of one node or relationship, null where unknown. */
export type PropertiesOf<Table extends Record<string, Property>> = {
  -readonly [Name in keyof Table]: ValueOf<Table[Name]> | (Table[Name] extends { optional: true } ? null : never);
};

/** The same as a statement returns it by `properties(x)`: what is unknown is left out. */
export type StoredProperties<P> = { [Name in keyof P as null extends P[Name] ? never : Name]: P[Name] } & {
  [Name in keyof P as null extends P[Name] ? Name : never]?: NonNullable<P[Name]>;
};

/** `(:Address)`: one node per chain and address. */
export const ADDRESS = {
  key: { type: 'text', about: '`<chain>:<address>`, unique' },
  chain: { type: 'text', about: 'name of the chain' },
  address: { type: 'text', about: 'canonical form of the address (EVM and bech32 in lower case)' },
  category: { type: 'text', optional: true, about: 'category of the label that counts: `sanctioned`, `exchange`, …' },
  label: { type: 'text', optional: true, about: 'name of that label' },
  label_source: { type: 'text', optional: true, about: 'list that contains the label' },
  entity_id: { type: 'text', optional: true, about: 'name or id of the owner, where a list names one' },
  first_seen_at: { type: 'integer', optional: true, about: 'time of the earliest transfer in the graph' },
  last_seen_at: { type: 'integer', optional: true, about: 'time of the latest transfer in the graph' },
  scanned_at: {
    type: 'integer',
    optional: true,
    about: 'when its history was last read; absent: only transfers with scanned addresses are in the graph',
  },
  scan_complete: { type: 'boolean', optional: true, about: 'true if that reading reached the end of the history' },
  is_contract: {
    type: 'boolean',
    optional: true,
    about: 'true for a contract or program, false for a wallet; absent: not known',
  },
  is_hub: {
    type: 'boolean',
    optional: true,
    about: 'true if a reading showed too many transactions for one customer: traces end there; absent: not known',
  },
  read_lists: {
    type: 'texts',
    optional: true,
    about:
      'the `read_…` properties are parallel lists, one entry for each span of time over which a list of the address' +
      ' (`coin`, `internal`, `tokens`) was read whole',
  },
  read_from: { type: 'integers', optional: true, about: 'where each span begins; 0 is the beginning of the history' },
  read_to: { type: 'integers', optional: true, about: 'where each span ends' },
  read_sources: { type: 'texts', optional: true, about: 'which source gave each span' },
  read_at: { type: 'integers', optional: true, about: 'when each span was read' },
  risk_score: {
    type: 'integer',
    optional: true,
    about: 'score of its last scan, from public data and shared labels alone; the properties after it belong to it',
  },
  risk_level: { type: 'text', optional: true, about: 'level of that score' },
  scored_at: { type: 'integer', optional: true, about: 'when it was scored' },
  rule_set_version: { type: 'text', optional: true, about: 'rule set of the score; a newer one makes it void' },
  score_evidence: {
    type: 'texts',
    optional: true,
    about: 'addresses whose labels the score rests on, itself included',
  },
  score_labels: {
    type: 'text',
    optional: true,
    about: 'digest of those labels; the score is void once they say something else',
  },
  is_bait: { type: 'boolean', optional: true, about: 'true where a scan found that it was used to bait somebody' },
  degree_in: { type: 'integer', about: 'number of distinct payers, without itself' },
  degree_out: { type: 'integer', about: 'number of distinct payees, without itself' },
} as const satisfies Record<string, Property>;

/** `[:TRANSFER]`: one movement of one asset, as TRANSFER_FIELDS declares it. */
export const TRANSFER: Record<string, Property> = Object.fromEntries(
  Object.values(TRANSFER_FIELDS).flatMap((field): [string, Property][] =>
    'column' in field ? [[field.column, field]] : [],
  ),
);

/** `[:FLOW]`: the roll-up of all transfers of one ordered pair of different addresses. */
export const FLOW = {
  usd: { type: 'number', about: 'sum over the priced transfers' },
  tx_count: { type: 'integer', about: 'number of transfers, also of those that share a transaction' },
  unpriced_count: { type: 'integer', about: 'number of transfers without a price' },
  first_at: { type: 'integer', about: 'time of the earliest transfer' },
  last_at: { type: 'integer', about: 'time of the latest transfer' },
  top_tx_hash: {
    type: 'text',
    about: 'transaction of the most valuable transfer, or of the earliest where none is priced',
  },
  top_usd: { type: 'number', optional: true, about: 'value of that transfer' },
  assets: { type: 'texts', about: 'symbols, sorted' },
} as const satisfies Record<string, Property>;

/** `(:Entity)`: an owner of addresses; `[:BELONGS_TO]` leads from each of them to it and has no properties. */
export const ENTITY = {
  id: { type: 'text', about: 'id of the owner, unique' },
  name: { type: 'text', about: 'name of the owner' },
  category: { type: 'text', optional: true, about: 'category of the owner, where known' },
} as const satisfies Record<string, Property>;

export type AddressProperties = PropertiesOf<typeof ADDRESS>;
export type Flow = PropertiesOf<typeof FLOW>;
export type EntityProperties = PropertiesOf<typeof ENTITY>;
