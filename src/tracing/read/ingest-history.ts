import type { AddressHistory, AddressType, ChainTransaction } from '../../chains/port.ts';
import type { GraphContext, HistoryContext, LabelsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { addressesOfKey, addressesOfWallet, ownKeys } from '../../domain/address/public-key.ts';
import { type Chain, type ChainAddress, isEvmChain } from '../../domain/chain.ts';
import { earlierProof } from '../../domain/entity.ts';
import { ADVERSE_CATEGORIES, type Label } from '../../domain/label.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { assetId, COIN } from '../../domain/tracing/asset-id.ts';
import type { KnownBalance } from '../../domain/tracing/reading.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { SourceError } from '../../errors.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { ProvenKey } from '../../graph/entities/keys.ts';
import type { NodeLabel } from '../../graph/ingest/apply-labels.ts';
import { ingestTransfers } from '../../graph/ingest/ingest.ts';
import { markRead } from '../../graph/ingest/mark-read.ts';
import { removeFacts } from '../../graph/ingest/remove-facts.ts';
import { removeVanished, type StatedIn } from '../../graph/ingest/remove-vanished.ts';
import { namedTransfers } from '../../graph/queries/read-history.ts';
import { labelsOfKeys } from '../../labels/key-labels.ts';
import { nodeLabelOf } from '../../labels/node-labels.ts';

/** Among the reasons of the coverage where the graph holds what this reading contradicts, and keeps it. */
export const CONFLICT = 'conflict';

/** Among them where transactions were left out that the chain does not confirm, or no longer. It holds for one reading alone. */
export const UNCONFIRMED = 'unconfirmed_left_out';

const HUB_TRANSACTIONS = 20_000;

type LabelsOf = (address: string) => Label[];

export interface LabelledParties {
  /** The address, its owner and everyone it dealt with. */
  parties: ReadonlySet<string>;
  labelsOf: LabelsOf;
}

interface HistoryLabels extends LabelledParties {
  /** Labels of their nodes, by graph key. */
  onNodes: ReadonlyMap<string, NodeLabel>;
}

/** Labels of all parties of a history. A name that a public explorer shows counts where no list knows the address. */
export async function labelsOfHistory(
  ctx: GraphContext & LabelsContext,
  chain: Chain,
  address: string,
  history: AddressHistory,
): Promise<HistoryLabels> {
  const { owner = address } = history;
  const parties = new Set([address, owner]);
  await eachInSlices(history.transfers, ({ from, to, txSender }) => {
    parties.add(from).add(to);
    // Who had a contract pay, or an approval used, dealt with the recipient.
    if (txSender !== null) parties.add(txSender);
  });
  const registry = await ctx.labels.find(chain, [...parties]);
  const owners = [...parties].map((party) => ({ chain, address: party }));
  const shown = await addressesShown({ chain, address }, history);
  const ofKeys = await labelsOfKeys(ctx, owners, { ownOf: (party) => registry.get(party) ?? [], shown });
  const tags = explorerLabels(chain, history);
  const labelsOf: LabelsOf = (party) =>
    ofKeys.get(addressKey(chain, party)) ?? registry.get(party) ?? tags.get(party) ?? [];
  // A label that has ended counts too: the node may still bear it.
  const labelled = [...parties].filter((party) => labelsOf(party).length > 0);
  const onNodes = labelled.map((party): [string, NodeLabel] => [
    addressKey(chain, party),
    nodeLabelOf(labelsOf(party), ctx.now()),
  ]);
  return { parties, labelsOf, onNodes: new Map(onNodes) };
}

/** The addresses of the keys that a history shows, by graph key: of its own address, and of wallets that signed what it lists. */
async function addressesShown(
  { chain, address }: ChainAddress,
  { revealed, transfers }: AddressHistory,
): Promise<Map<string, ChainAddress[]>> {
  const signers = new Set<string>();
  if (isEvmChain(chain) || chain === 'tron') {
    await eachInSlices(transfers, ({ txSender }) => {
      if (txSender !== null) signers.add(txSender);
    });
  }
  const shown = new Map<string, ChainAddress[]>();
  await eachInSlices(signers, (signer) => {
    shown.set(addressKey(chain, signer), addressesOfWallet(chain, signer));
  });
  if (revealed) shown.set(addressKey(chain, address), addressesOfKey(Buffer.from(revealed.publicKey, 'hex')));
  return shown;
}

export interface Read {
  history: AddressHistory;
  /** Epoch ms: when the source was asked. */
  readAt: number;
  /** False for a part of the history, read around one transfer. */
  whole: boolean;
  /** Epoch ms: what lies before was read earlier. */
  since?: number;
  /** Asks the source for one transaction; null where there is no source. */
  lookUp: ((txHash: string) => Promise<ChainTransaction | null>) | null;
}

/**
 * Writes what a source reported about an address into the graph, with the spans that were read. Where the graph holds facts that
 * the reading lacks, it was not whole: the coverage says so, and no span counts as read. Those of the last hour are left out of
 * the history as unconfirmed, and the coverage names them. Throws GraphError.
 */
export async function ingestHistory(
  ctx: HistoryContext,
  chain: Chain,
  address: string,
  { history, readAt, whole, since, lookUp }: Read,
  { onNodes }: HistoryLabels,
): Promise<void> {
  const doubted = history.coverage.unconfirmed ?? [];
  delete history.coverage.unconfirmed;
  const others = listedOwners(chain, history.shown, onNodes);
  delete history.shown;
  const { conflicts } = await ingestTransfers(ctx.graph, history.transfers, onNodes);
  const source = history.coverage.sources.join('+');
  const { owner = address, transfers } = history;
  const intervals = history.read.map(({ list, from, to }) => ({ list, from, to: to ?? readAt, source, at: readAt }));
  const reading = { chain, address: owner, source, at: readAt, transfers, intervals, since };
  const vanished = await removeVanished(ctx.graph, reading, statedBy(lookUp));
  const { coverage } = history;
  if (conflicts + vanished.conflicts > 0 && !coverage.reasons.includes(CONFLICT)) coverage.reasons.push(CONFLICT);
  const still = stillUnconfirmed(history, readAt, doubted);
  const named = await namedTransfers(ctx.graph, chain, owner, vanished.unconfirmed);
  // No question follows what the chain does not hold now, of whichever address.
  if (vanished.denied.length > 0) await removeFacts(ctx.graph, vanished.denied, { unmark: false });
  const unconfirmed = new Map([...still, ...named].map((transfer) => [transfer.id, transfer]));
  leaveOut(history, owner, [...unconfirmed.values()]);
  const lacksFacts = vanished.conflicts > 0;
  if (lacksFacts) {
    coverage.complete = false;
    history.read = [];
  }
  // What is kept of the other parties' histories still holds them.
  const stale = new Set(named.flatMap(({ from, to }) => [from, to]));
  stale.delete(owner);
  await ctx.reads.delete(chain, [...stale]);
  if (!history.found) return;
  await markRead(ctx.graph, {
    chain,
    address,
    at: readAt,
    intervals: lacksFacts ? [] : intervals,
    balances: lacksFacts ? [] : knownBalances(chain, history, readAt),
    isContract: isContract(history.addressType),
    isHub: isBusyAddress(history),
    complete: whole ? coverage.complete : null,
    proven: provenKey(chain, address, history),
    others,
  });
}

/** The keys of adverse parties: traces end there, so they are seldom read themselves, and what else they hold is theirs. */
function listedOwners(
  chain: Chain,
  shown: AddressHistory['shown'],
  onNodes: HistoryLabels['onNodes'],
): { owner: ChainAddress; proven: ProvenKey }[] {
  return [...(shown ?? [])].flatMap(([address, proven]) => {
    const category = onNodes.get(addressKey(chain, address))?.category;
    const isAdverse = ADVERSE_CATEGORIES.some((adverse) => adverse === category);
    return isAdverse && ownKeys({ chain, address })(proven.publicKey) ? [{ owner: { chain, address }, proven }] : [];
  });
}

/** The key of the address, as a transaction reveals it, or by the earliest that a wallet of 20 bytes signed. */
function provenKey(
  chain: Chain,
  address: string,
  { revealed, transfers, addressType }: AddressHistory,
): ProvenKey | undefined {
  if (revealed) return revealed;
  if ((!isEvmChain(chain) && chain !== 'tron') || addressType === 'contract') return undefined;
  const signed = transfers.filter(({ txSender }) => txSender === address);
  return signed.reduce<ProvenKey | undefined>(
    (known, { txHash, at }) => earlierProof(known, { publicKey: null, txHash, at }),
    undefined,
  );
}

/** Returns the transfers of the last hour that an earlier reading lacked and this one still lacks. */
function stillUnconfirmed({ transfers }: AddressHistory, readAt: number, doubted: readonly Transfer[]): Transfer[] {
  const listed = new Set(transfers.map(({ txHash }) => txHash));
  return doubted.filter(({ at, txHash }) => at >= readAt - HOUR_MS && !listed.has(txHash));
}

/** Takes out what the graph added of unconfirmed transactions, also what others moved in them, and names them. */
function leaveOut(history: AddressHistory, owner: string, unconfirmed: Transfer[]): void {
  if (unconfirmed.length === 0) return;
  const { coverage } = history;
  coverage.unconfirmed = unconfirmed;
  if (!coverage.reasons.includes(UNCONFIRMED)) coverage.reasons.push(UNCONFIRMED);
  const isOwn = ({ from, to }: Transfer) => from === owner || to === owner;
  const doubtful = new Set(unconfirmed.map(({ txHash }) => txHash));
  for (const transfer of history.transfers) if (isOwn(transfer)) doubtful.delete(transfer.txHash);
  history.transfers = history.transfers.filter(({ txHash }) => !doubtful.has(txHash));
}

/** A source that fails says neither yes nor no. */
function statedBy(lookUp: Read['lookUp']): StatedIn {
  return async (txHash) => {
    // `block:<number>` stands for no transaction.
    if (lookUp === null || txHash.includes(':')) return null;
    try {
      const found = await lookUp(txHash);
      if (found?.status === 'pending') return 'pending';
      return found?.transfers.filter(movedValue) ?? [];
    } catch (error) {
      if (error instanceof SourceError) return null;
      throw error;
    }
  };
}

/** The balances that a reading states, of the assets that traces follow. */
export function knownBalances(chain: Chain, { balances = [] }: AddressHistory, readAt: number): KnownBalance[] {
  return balances.map(({ token, at, amount }) => ({
    asset: token === null ? COIN : assetId(chain, { token, tokenId: null, symbol: '' }),
    at: at ?? readAt + 1,
    amount,
  }));
}

/** More transactions than one customer has: what passes there says nothing of whose money it is. */
export function isBusyAddress({ transactionCount }: AddressHistory): boolean {
  return transactionCount > HUB_TRANSACTIONS;
}

/** Contracts and programs pool the money of strangers; a wallet of several signers does not. Null: not known. */
export function isContract(type: AddressType): boolean | null {
  return type === 'unknown' ? null : type === 'contract' || type === 'program';
}

function explorerLabels(chain: Chain, history: AddressHistory): Map<string, Label[]> {
  return new Map(
    history.tags.map((tag) => [
      tag.address,
      [
        {
          chain,
          address: tag.address,
          category: tag.category,
          label: tag.label,
          source: 'explorer_tag',
          confidence: 30,
          entity: null,
          validFrom: null,
          validTo: null,
          maliciousContract: false,
        },
      ],
    ]),
  );
}
