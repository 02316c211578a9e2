import { addToGroup } from '../../../domain/group-by.ts';
import { movementsOf } from '../../../domain/transfers/evm-log.ts';
import type { HistoryList } from '../../../domain/transfers/history-list.ts';
import { SourceError } from '../../../errors.ts';
import type { AddressHistory, AddressType } from '../../port.ts';
import { inParallel } from '../../reply.ts';
import { blockscoutView } from '../explorer/blockscout.ts';
import { type ListRequest, listRows, type ReadPart } from '../explorer/list.ts';
import { internalRows, type RowMovement, tokenRows, transactionRows } from '../explorer/rows.ts';
import { type EvmMovement, logMovements, type TxFacts } from '../format/transfer.ts';
import { receiptOf } from '../node/chain-data.ts';
import { accountOf } from './account.ts';
import type { HistoryWindow } from './around.ts';
import { type EvmSources, PARALLEL, sourceNames, toTransfers } from './sources.ts';

const TOKEN_LISTS = ['tokentx', 'tokennfttx', 'token1155tx'] as const;
/** What a result lacks where the explorer does not offer a list. */
const NOT_LISTED = {
  txlist: 'native_not_listed',
  txlistinternal: 'internal_not_listed',
  tokentx: 'tokens_not_listed',
  tokennfttx: 'nft_not_listed',
  token1155tx: 'nft_not_listed',
} as const;

export type ExplorerWindow = Omit<ListRequest, 'action' | 'pageLimit'>;

/** The history as an explorer lists it; a node, where there is one, adds log places, code and balance. */
export async function explorerHistory(
  sources: EvmSources,
  address: string,
  signal?: AbortSignal,
  window?: HistoryWindow,
): Promise<AddressHistory> {
  const explorer = sources.explorer!;
  const { fromAt = 0, toAt = null, ...blocks } = window ?? {};
  const asked = { ...blocks, address };
  const [native, tokens, account] = await Promise.all([
    nativeRows(sources, asked, signal),
    // Only a whole history lists NFTs: they are not money to follow.
    tokenMovements(sources, asked, window ? ['tokentx'] : TOKEN_LISTS, signal),
    accountOf(sources, address, signal),
  ]);
  const rows = withSharedFacts([...native.rows, ...tokens.rows]);
  const stray = rows.find(({ movement }) => movement.from !== address && movement.to !== address);
  if (stray)
    throw new SourceError(sources.chain, `${explorer.endpoint.name}: a transfer of another address was answered`);
  const view =
    explorer.style === 'blockscout'
      ? await blockscoutView(explorer, address, window ? 0 : sources.pageLimit, signal)
      : null;
  const transfers = await toTransfers(sources, rows, signal);
  const hashes = new Set(rows.map(({ facts }) => facts.txHash));
  const reasons = [...new Set([...native.reasons, ...tokens.reasons])];
  const empty = rows.length === 0 && account.sent === 0 && (account.balance ?? '0') === '0';
  return {
    found: !empty || account.type === 'contract' || account.type === 'multisig',
    addressType: firstKnown(account.type, view?.type, inferredType(rows, address)),
    balance: account.balance,
    transactionCount: Math.max(hashes.size, account.sent),
    transfers,
    tags: view?.tags ?? [],
    coverage: { complete: !window && reasons.length === 0, sources: sourceNames(sources), reasons },
    read: Object.entries({ ...native.read, ...tokens.read }).flatMap(([list, part]) =>
      part ? [{ list: list as HistoryList, from: part.since ?? fromAt, to: part.until ?? toAt }] : [],
    ),
  };
}

interface Rows {
  rows: RowMovement[];
  reasons: string[];
  /** The part of each list that was read whole. */
  read: Partial<Record<HistoryList, ReadPart | null>>;
}

/** Transactions and their inner moves, the latter failed where the transaction is. */
export async function nativeRows(sources: EvmSources, window: ExplorerWindow, signal?: AbortSignal): Promise<Rows> {
  const explorer = sources.explorer!;
  const ask = { ...window, pageLimit: sources.pageLimit };
  const listed = await listRows(explorer, { ...ask, action: 'txlist' }, signal);
  if (listed.reasons.includes('unsupported')) throw new SourceError(sources.chain, 'explorer: no txlist');
  const inner = await listRows(explorer, { ...ask, action: 'txlistinternal' }, signal);
  const outer = await transactionRows(explorer, listed.rows);
  const byHash = new Map(outer.map((row) => [row.facts.txHash, row]));
  const rows = (await internalRows(explorer, inner.rows)).map((row) => {
    const parent = byHash.get(row.facts.txHash);
    if (!parent) return row;
    const failed = row.movement.failed || parent.movement.failed;
    return { ...row, movement: { ...row.movement, failed }, facts: parent.facts };
  });
  return {
    rows: [...outer, ...rows],
    reasons: [...reasonsOf('txlist', listed.reasons), ...reasonsOf('txlistinternal', inner.reasons)],
    read: { coin: listed.read, internal: inner.read },
  };
}

/** Token rows; with a node, each gets the place of its log from the receipt of its transaction. */
export async function tokenMovements(
  sources: EvmSources,
  window: ExplorerWindow,
  actions: readonly (keyof typeof NOT_LISTED)[],
  signal?: AbortSignal,
): Promise<Rows> {
  const explorer = sources.explorer!;
  const rows: RowMovement[] = [];
  const reasons: string[] = [];
  const read: Rows['read'] = {};
  for (const action of actions) {
    const list = await listRows(explorer, { ...window, action, pageLimit: sources.pageLimit }, signal);
    for (const row of await tokenRows(explorer, list.rows, action)) rows.push(row);
    reasons.push(...reasonsOf(action, list.reasons));
    if (action === 'tokentx') read.tokens = list.read;
  }
  return { rows: await withLogPlaces(sources, unrepeated(rows), signal), reasons, read };
}

/** Each list gives a part of a transaction's facts: what one row lacks comes from the others, first from its own payment. */
function withSharedFacts(rows: RowMovement[]): RowMovement[] {
  const shared = new Map<string, TxFacts>();
  for (const { movement, facts } of rows) {
    const known = shared.get(facts.txHash);
    const [best, other] = movement.kind === 'native' ? [facts, known] : [known ?? facts, facts];
    const { blockHash, position, sender, fee } = best;
    shared.set(facts.txHash, {
      ...best,
      blockHash: blockHash ?? other?.blockHash ?? null,
      position: position ?? other?.position ?? null,
      sender: sender ?? other?.sender ?? null,
      fee: fee ?? other?.fee ?? null,
    });
  }
  return rows.map((row) => {
    const { blockHash, position, sender, fee } = shared.get(row.facts.txHash)!;
    return { ...row, facts: { ...row.facts, blockHash, position, sender, fee } };
  });
}

/** Some explorers give NFT moves in more than one list. */
function unrepeated(rows: RowMovement[]): RowMovement[] {
  const seen = new Set<string>();
  return rows.filter(({ movement, facts }) => {
    if (movement.index === '') return true;
    const key = [facts.txHash, movement.index, movement.tokenId, movement.from, movement.to].join(':');
    return seen.size < seen.add(key).size;
  });
}

async function withLogPlaces(sources: EvmSources, rows: RowMovement[], signal?: AbortSignal): Promise<RowMovement[]> {
  const { rpc } = sources;
  if (!rpc) return batchPlaces(rows);
  const wanted = [...new Set(rows.map(({ facts }) => facts.txHash))];
  const placed = new Map<string, { movements: Map<string, EvmMovement[]>; sender: string }>();
  await inParallel(wanted, PARALLEL, async (hash) => {
    const receipt = await receiptOf(rpc, hash, { signal });
    const movements = new Map<string, EvmMovement[]>();
    for (const movement of receipt?.logs.flatMap((log) => logMovements(log.logIndex, movementsOf(log))) ?? []) {
      addToGroup(movements, contentOf(movement), movement);
    }
    if (receipt) placed.set(hash, { movements, sender: receipt.from });
  });
  return rows.map((row) => {
    const known = placed.get(row.facts.txHash);
    const match = known?.movements.get(contentOf(row.movement))?.shift();
    return {
      ...row,
      facts: { ...row.facts, sender: known?.sender ?? row.facts.sender },
      movement: match ?? { ...row.movement, index: '' },
    };
  });
}

/** One log that moves several token ids is several rows with one log index. */
function batchPlaces(rows: RowMovement[]): RowMovement[] {
  const logOf = ({ movement, facts }: RowMovement) => `${facts.txHash}:${movement.index}`;
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(logOf(row), (sizes.get(logOf(row)) ?? 0) + 1);
  const places = new Map<string, number>();
  return rows.map((row) => {
    if (row.movement.index === '' || sizes.get(logOf(row)) === 1) return row;
    const place = places.get(logOf(row)) ?? 0;
    places.set(logOf(row), place + 1);
    return { ...row, movement: { ...row.movement, index: `${row.movement.index}_${place}` } };
  });
}

function contentOf({ token, from, to, amountRaw, tokenId }: EvmMovement): string {
  return [token, tokenId, from, to, amountRaw].join(':');
}

function reasonsOf(action: keyof typeof NOT_LISTED, reasons: string[]): string[] {
  return reasons.map((reason) =>
    reason === 'unsupported' ? NOT_LISTED[action] : reason === 'indexing' ? 'explorer_indexing' : reason,
  );
}

/** Only wallets send transactions; only contracts are created. */
function inferredType(rows: RowMovement[], address: string): AddressType {
  return rows.some(({ facts, movement }) => movement.kind === 'native' && facts.sender === address)
    ? 'wallet'
    : 'unknown';
}

function firstKnown(...types: (AddressType | undefined)[]): AddressType {
  return types.find((type) => type !== undefined && type !== 'unknown') ?? 'unknown';
}
