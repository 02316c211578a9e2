import { CHAIN_RECORDS, type ChainRecord, HISTORY_LISTS, type HistoryList } from './chains.ts';

type Records = typeof CHAIN_RECORDS;
export type Chain = keyof Records;
export const CHAINS = Object.keys(CHAIN_RECORDS) as [Chain, ...Chain[]];

/** An address on one chain. */
export interface ChainAddress {
  chain: Chain;
  address: string;
}

/** The name of a chain as texts for readers write it; another code stays. */
export function chainName(chain: string): string {
  return isChain(chain) ? CHAIN_RECORDS[chain].name : chain;
}

/** The chains that share Ethereum's address form. */
export type EvmChain = { [C in Chain]: Records[C] extends { evmId: number } ? C : never }[Chain];
export const EVM_CHAINS = CHAINS.filter(isEvmChain);
/** Their EIP-155 ids. */
export const EVM_CHAIN_IDS = Object.fromEntries(
  EVM_CHAINS.map((chain) => [chain, CHAIN_RECORDS[chain].evmId]),
) as Record<EvmChain, number>;

/**
 * Chains that are not scanned and whose addresses have the form of a scanned one, `evm` for all EVM chains: the
 * same key holds both addresses.
 */
const SISTER_CHAINS = { bitcoin_cash: 'bitcoin', bitcoin_sv: 'bitcoin', ethereum_classic: 'evm' } as const;
export type SisterChain = keyof typeof SISTER_CHAINS;

/** Chains on which a label may hold: one, all EVM chains, or a sister chain. */
export type LabelChain = Chain | 'evm' | SisterChain;
export const LABEL_CHAINS: readonly LabelChain[] = [...CHAINS, 'evm', ...(Object.keys(SISTER_CHAINS) as SisterChain[])];

export function isSisterChain(chain: string): chain is SisterChain {
  return Object.hasOwn(SISTER_CHAINS, chain);
}

/** A scanned chain whose addresses have the form of the label's. */
export function chainOfForm(chain: LabelChain): Chain {
  const form = isSisterChain(chain) ? SISTER_CHAINS[chain] : chain;
  return form === 'evm' ? 'ethereum' : form;
}

/** Chains of one address space, whose sources speak the same protocol: who holds an EVM address holds it on all EVM chains. */
export type ChainFamily = Exclude<Chain, EvmChain> | 'evm';

export function chainFamily(chain: LabelChain): ChainFamily {
  const form = chainOfForm(chain);
  return isEvmChain(form) ? 'evm' : form;
}

/** Returns where else the address of a chain is held by the same key, beside the labels that hold on the chain itself. */
export function sisterChainsOf(chain: Chain): LabelChain[] {
  const form = isEvmChain(chain) ? 'evm' : chain;
  const unscanned = Object.entries(SISTER_CHAINS).flatMap(([sister, of]) =>
    of === form ? [sister as SisterChain] : [],
  );
  return isEvmChain(chain) ? [...EVM_CHAINS.filter((other) => other !== chain), ...unscanned] : unscanned;
}

/** The chain's own coin. */
export const NATIVE_COIN = ofEach(({ coin }) => coin);

/** How long until a transaction is final at the latest. */
export const FINAL_AFTER_MS = ofEach(({ finalAfterMs }) => finalAfterMs);

export function isChain(value: string): value is Chain {
  return (CHAINS as readonly string[]).includes(value);
}

export function isEvmChain(chain: Chain): chain is EvmChain {
  return 'evmId' in CHAIN_RECORDS[chain];
}

/** The address or transaction on a block explorer; null for a chain that has none here. */
export function explorerLink(chain: string, kind: 'address' | 'tx', value: string): string | null {
  return isChain(chain) ? CHAIN_RECORDS[chain].explorer[kind] + encodeURIComponent(value) : null;
}

/** The lists in which the sources of a chain keep an address's history. */
export function listsOfChain(chain: Chain): readonly HistoryList[] {
  const { lists = HISTORY_LISTS }: ChainRecord = CHAIN_RECORDS[chain];
  return lists;
}

/** The CAIP-2 id of a chain. */
export function caip2(chain: Chain): string {
  const { evmId, caip2 = `eip155:${evmId}` }: ChainRecord = CHAIN_RECORDS[chain];
  return caip2;
}

function ofEach<T>(read: (record: ChainRecord) => T): Record<Chain, T> {
  return Object.fromEntries(CHAINS.map((chain) => [chain, read(CHAIN_RECORDS[chain])])) as Record<Chain, T>;
}
