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
type PropertiesOf<Table extends Record<string, Property>> = {
  -readonly [Name in keyof Table]: ValueOf<Table[Name]> | (Table[Name] extends { optional: true } ? null : never);
};

/** The same as a statement returns it by `properties(x)`: it has no unknown properties. */
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
  label_sure: { type: 'boolean', optional: true, about: 'true where that list is sure of it' },
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
  balance_assets: {
    type: 'texts',
    optional: true,
    about:
      'the `balance_…` properties are parallel lists, one entry for each balance that the chain itself states for the' +
      ' beginning or the end of a span: `coin`, or the token',
  },
  balance_at: {
    type: 'integers',
    optional: true,
    about: 'its moment; what happened before it counts, what happened then does not',
  },
  balance_amounts: { type: 'texts', optional: true, about: 'exact decimal string' },
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
  score_transfers: {
    type: 'integer',
    optional: true,
    about: 'transfers with others that the graph held when it was scored',
  },
  score_is_partial: {
    type: 'boolean',
    optional: true,
    about: 'true where the score rests on a part of the history or of the received money',
  },
  is_bait: { type: 'boolean', optional: true, about: 'true where a scan found that it was used for address poisoning' },
  has_bridges: { type: 'boolean', optional: true, about: 'true where money crossed a bridge from it or to it' },
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
  usd: { type: 'number', about: 'sum over the priced transfers, each in whole micro-dollars' },
  tx_count: { type: 'integer', about: 'number of transfers, also of those that share a transaction' },
  unpriced_count: { type: 'integer', about: 'number of transfers without a price' },
  first_at: { type: 'integer', about: 'time of the earliest transfer' },
  last_at: { type: 'integer', about: 'time of the latest transfer' },
  has_coin: { type: 'boolean', optional: true, about: "true where one of them is of the chain's own coin" },
} as const satisfies Record<string, Property>;

/**
 * `[:BRIDGED]`: money that left one chain and arrived on another, or what one side states of it. It leads from the sender to the
 * recipient; while a side does not name its other end, from or to the bridge's own address on its chain.
 */
export const BRIDGED = {
  id: {
    type: 'text',
    about: '`<chain>:<tx_hash>:<place>` of the source, or of the destination where that alone is known',
  },
  protocol: { type: 'text', about: '`cctp_v1`, `across`, …' },
  message_id: { type: 'text', optional: true, about: 'what both sides state, as the protocol writes it' },
  match: {
    type: 'text',
    optional: true,
    about:
      '`id`: both sides state the same message; `likely`: amount, recipient and time fit; absent: one side is missing',
  },
  status: { type: 'text', about: '`matched`, `pending` or `not_found`' },
  reason: { type: 'text', optional: true, about: 'why the other side is missing, or only likely: `bridge_pending`, …' },
  ambiguous: {
    type: 'boolean',
    about:
      'true where messages of one id to one recipient were paired in the order of time, or several may be the other side',
  },
  chain_out: { type: 'text', optional: true, about: 'source chain, or its number in the protocol' },
  chain_in: { type: 'text', about: 'destination chain, or its number in the protocol' },
  sender: { type: 'text', optional: true, about: 'who sent it, on the source chain' },
  recipient: { type: 'text', optional: true, about: 'who receives it, on the destination chain' },
  tx_out: { type: 'text', optional: true, about: 'transaction on the source chain' },
  at: { type: 'integer', optional: true, about: 'its time' },
  asset_out: { type: 'text', optional: true, about: 'symbol of what left' },
  amount_out: { type: 'text', optional: true, about: 'exact decimal string of what left' },
  tx_in: { type: 'text', optional: true, about: 'transaction on the destination chain' },
  at_in: { type: 'integer', optional: true, about: 'its time' },
  asset_in: { type: 'text', optional: true, about: 'symbol of what arrived' },
  amount_in: { type: 'text', optional: true, about: 'exact decimal string of what arrived' },
  usd: { type: 'number', optional: true, about: 'US dollars of the transfers that it stands for, as they left' },
  looked_up_at: { type: 'integer', optional: true, about: 'when the other side was last looked for' },
  source: { type: 'text', optional: true, about: 'all that the source states, as JSON' },
  destination: { type: 'text', optional: true, about: 'all that the destination states, as JSON' },
} as const satisfies Record<string, Property>;

/**
 * `(:BridgeTransaction)`: a transaction that stated messages of bridges, with its newest reading. An older reading may arrive
 * after a newer one: what it states otherwise is not added.
 *
 * @internal Compared with docs/graph-model.md by a test.
 */
export const BRIDGE_TRANSACTION = {
  key: { type: 'text', about: '`<chain>:<tx_hash>`, unique' },
  chain: { type: 'text', about: 'name of the chain' },
  tx_hash: { type: 'text', about: 'the transaction' },
  read_at: { type: 'integer', about: 'when its source was asked for the newest reading' },
  readings: {
    type: 'text',
    about: 'the messages of that reading as JSON: one list for each distinct reading of that moment',
  },
} as const satisfies Record<string, Property>;

/**
 * `(:Entity)`: an owner that lists name, to which `[:BELONGS_TO]` leads without properties, or a holder that evidence shows, to
 * which `[:MEMBER]` leads.
 */
export const ENTITY = {
  id: { type: 'text', about: 'unique: what lists call the owner, or the smallest key among the members of a holder' },
  name: {
    type: 'text',
    optional: true,
    about: 'name of an owner that lists name, or what sure labels call most of the labelled members of a holder',
  },
  category: { type: 'text', optional: true, about: 'category of that owner or of those members, where known' },
  several_services: {
    type: 'boolean',
    optional: true,
    about: 'true of a holder whose members sure labels give to two services or more: strangers were joined',
  },
  size: { type: 'integer', optional: true, about: 'number of members of a holder' },
  basis: {
    type: 'text',
    optional: true,
    about: 'the weakest link that holds all members together: `same_key`, `listed` or `co_spent`',
  },
} as const satisfies Record<string, Property>;

/**
 * `[:MEMBER]`: why an address belongs to a holder, by its surest and earliest reason.
 *
 * @internal Compared with docs/graph-model.md by a test.
 */
export const MEMBER = {
  basis: { type: 'text', about: '`same_key`, `listed` or `co_spent`' },
  key_id: { type: 'text', optional: true, about: 'which key, where one is known: `evm:<address>` or an address' },
  tx_hash: { type: 'text', optional: true, about: 'the transaction that proves it; absent for what lists say' },
  at: { type: 'integer', optional: true, about: 'its time' },
  confidence: { type: 'number', optional: true, about: '1 where a key proves it; absent where it is not measured' },
} as const satisfies Record<string, Property>;

/**
 * `(:KeyAddress)`: an address that a known key holds, whether or not the graph has met it.
 *
 * @internal Compared with docs/graph-model.md by a test.
 */
export const KEY_ADDRESS = {
  key: { type: 'text', about: '`<chain>:<address>`, for all EVM chains `evm:<address>`; unique' },
  key_id: { type: 'text', about: 'the same for all addresses of one key' },
  public_key: {
    type: 'text',
    optional: true,
    about: 'the key in hex; absent where only a signature proves that there is one',
  },
  tx_hash: { type: 'text', optional: true, about: 'the earliest transaction that proves it' },
  at: { type: 'integer', optional: true, about: 'its time' },
} as const satisfies Record<string, Property>;

/**
 * `(:JointSpend)`: a Bitcoin transaction of several payers, by whichever outputs they were read.
 *
 * @internal Compared with docs/graph-model.md by a test.
 */
export const JOINT_SPEND = {
  tx_hash: { type: 'text', about: 'unique' },
  payers: { type: 'texts', about: 'keys of the addresses whose transfers in it the graph holds' },
  payees: {
    type: 'texts',
    about: 'keys of the addresses to which these transfers led, also those that left the graph',
  },
  said: {
    type: 'text',
    about: 'which sources say `joint`, and by which reading, as JSON; it is false where any of them says so',
  },
} as const satisfies Record<string, Property>;

export type AddressProperties = PropertiesOf<typeof ADDRESS>;
export type Flow = PropertiesOf<typeof FLOW>;
export type Bridged = PropertiesOf<typeof BRIDGED>;
export type BridgeTransaction = PropertiesOf<typeof BRIDGE_TRANSACTION>;
export type EntityProperties = PropertiesOf<typeof ENTITY>;
