import type { Generated } from 'kysely';
import type { LabelChain } from '../../../domain/chain.ts';
import type { Category, LabelStatement } from '../../../domain/label.ts';

/** One row; it counts the transactions that changed labels. */
export interface LabelChangeRow {
  count: number;
}

/** The day of each list of labels. */
export interface LabelListRow {
  source: string;
  /** Epoch ms. */
  as_of: number;
}

/** Names a list that the service fetches by itself. */
export interface KeptListKey {
  /** As in `load <source>`. */
  source: string;
  /** URL, or absolute path of a file or folder. */
  place: string;
}

/** Which list the service fetches by itself, how often, and where its day is written. */
export interface KeptListTerms extends KeptListKey {
  every_ms: number;
  /** 1 where `Last-Modified` is the day of the list. */
  as_of_header: number;
}

/** A list that the service fetches by itself. */
export interface KeptList extends KeptListTerms {
  added_at: number;
  next_at: number;
  /** `waiting`: the newer list lost more than a tenth, and the operator decides. */
  state: 'new' | 'current' | 'waiting' | 'failed';
  problem: string | null;
  /** Marks the version that was loaded last: an ETag, else the time of its last change. */
  version: string | null;
  /** When it was last asked for, also in vain. */
  checked_at: number | null;
  /** When it last gave rows, or was found unchanged. */
  loaded_at: number | null;
}

/** Names a load: one of each is unfinished at most. */
export interface LoadKey {
  source: string;
  input: string;
}

/** A load that has begun to write, until it is whole. */
export interface UnfinishedLoad extends LoadKey {
  /** JSON of what was asked. */
  request: string;
  /** JSON of the label sources, or others, that it speaks for; none where a newer load replaces nothing of it. */
  sources: string;
  started_at: number;
  /** When a process last said that it is at work on it. */
  touched_at: number;
}

export interface LabelRow extends LabelStatement {
  confidence: number;
  entity: string | null;
  /** 0 = always valid (part of the row's identity, so it is never null). */
  valid_from: number;
  valid_to: number | null;
  malicious_contract: number;
  programme: string | null;
  /** Stamp of the load that last saw the row. */
  loaded_at: number;
  changed_at: number;
}

/** A name that lists give, with its list and entity; `search_text` folds the three. Names are added, never changed. */
export interface LabelNamesTable {
  seq: Generated<number>;
  label: string;
  source: string;
  /** Empty without one. */
  entity: string;
  search_text: string;
}

/** A label that an account gives an address itself. */
export interface OwnLabelRow {
  id: string;
  account_id: string;
  chain: LabelChain;
  address: string;
  category: Category;
  label: string;
  /** 0-100. */
  confidence: number;
  reason: string;
  valid_from: number | null;
  valid_to: number | null;
  case_id: string | null;
  /** 1 where levels of the account rest on it. */
  use_for_levels: number;
  /** Name of the person or key. */
  author: string;
  created_at: number;
  changed_at: number;
  /** Levels rested on it until then; null while it holds. Its texts are gone. */
  removed_at: number | null;
}

/** Keys whose signed labels are taken. */
export interface LabelSigner {
  /** Their key, `did:key:…`. */
  did: string;
  /** As sources of labels call them: `signed:<name>`. */
  name: string;
  /** How sure their labels are at most, 0-100. */
  confidence: number;
  trusted_at: number;
}

/** When a signer spoke last of an address and a category. */
export interface SignedLabelRow {
  did: string;
  uri: string;
  val: string;
  /** Epoch ms that they signed. */
  cts: number;
}
