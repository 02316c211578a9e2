import type { TransactionEvidence } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { addAmounts, compareAmounts, formatUnits } from '../../domain/amount.ts';
import { KNOWN_CALLS } from '../../domain/calldata/calls.ts';
import { type Chain, NATIVE_COIN } from '../../domain/chain.ts';
import { isOvergrown } from '../../domain/entity.ts';
import { isoOrNull } from '../../domain/time.ts';
import { movedValue } from '../../domain/transfers/transfer.ts';
import { NotFoundError, PipelineError } from '../../errors.ts';
import { entitiesOf } from '../../graph/queries/entities.ts';
import type { Inquiry } from '../../tracing/read/inquiry.ts';
import { describeAddresses } from './list-pair-transfers.ts';

/** The part of an output for who paid: an address of the same holder, what signs alone call their change, or of another. */
export const OUTPUT_PARTS = ['payment', 'own', 'change'] as const;
type OutputPart = (typeof OUTPUT_PARTS)[number];

/** Inputs, outputs and transfers of an answer at most, each; the largest. */
const LISTED_MAX = 500;

interface Coin {
  address: string | null;
  amount: string;
  usd: number | null;
}

/** A transaction as its source gives it, priced; of Bitcoin coins, of other chains transfers. */
type ReadTransaction = Awaited<ReturnType<typeof readTransaction>>;

/** Reads a transaction from the source of its chain. Costs no scan. Throws NotFoundError, SourceError and PipelineError. */
export async function readTransaction(
  ctx: Context,
  account: string,
  { chain, hash }: { chain: Chain; hash: string },
  signal: AbortSignal,
) {
  const source = await ctx.chainSource(chain);
  if (!source) throw new PipelineError(`No data source configured for ${chain}`);
  try {
    const evidence = await source.evidence(hash, { account, signal });
    if (!evidence) throw new NotFoundError(`Transaction not found on ${chain}`);
    const coins = evidence.coins ? await coinsOf(ctx, evidence, signal) : null;
    return { chain, evidence, coins, moved: coins ? null : await movedIn(ctx, chain, evidence, signal) };
  } catch (error) {
    throw signal.aborted ? new PipelineError(`The source of ${chain} did not answer in time`) : error;
  }
}

/**
 * Says what a transaction moved: of Bitcoin inputs and outputs, whose difference is the fee; of other chains each transfer and the call
 * that the sender signed. Throws GraphError.
 */
export async function openTransaction(ctx: Context & Inquiry, { chain, evidence, coins, moved }: ReadTransaction) {
  const { txHash, block, at, status, type } = evidence.transaction;
  const { call } = evidence;
  const called = call && { from: call.from, to: call.to, method: methodOf(call.input) };
  const parties = [
    ...[...(coins?.inputs.listed ?? []), ...(coins?.outputs.listed ?? [])].map(({ address }) => address),
    ...(moved?.transfers ?? []).flatMap(({ from, to }) => [from, to]),
    ...(called ? [called.from, called.to] : []),
  ];
  return {
    chain,
    tx_hash: txHash,
    block_number: block,
    timestamp: isoOrNull(at),
    status,
    type,
    fee: coins ? coins.fee : feeOf(chain, evidence),
    inputs: coins?.inputs.listed ?? null,
    outputs: coins && (await withParts(ctx, evidence, coins)),
    transfers: moved?.transfers ?? null,
    unlisted: {
      inputs: coins?.inputs.rest ?? null,
      outputs: coins?.outputs.rest ?? null,
      transfers: moved?.unlisted ?? 0,
    },
    call: called,
    addresses: await describeAddresses(
      ctx,
      parties.flatMap((address) => (address === null ? [] : [{ chain, address }])),
    ),
  };
}

/** Inputs and outputs, and the fee; none of newly mined coins. */
async function coinsOf(ctx: Context, { transaction, coins }: TransactionEvidence, signal: AbortSignal) {
  const { symbol, decimals } = NATIVE_COIN.bitcoin;
  const [inputs, outputs] = [coins!.inputs, coins!.outputs].map((side) =>
    side.map(({ address, value }): Coin => {
      // A script without an address has a name of our own, which is known here alone.
      const known = address === null ? null : (canonicalAddress('bitcoin', address)?.address ?? null);
      return { address: known, amount: formatUnits(value, decimals), usd: null };
    }),
  ) as [Coin[], Coin[]];
  await price(ctx, transaction.at, [...inputs, ...outputs], signal);
  const sumOf = (side: 'inputs' | 'outputs') => coins![side].reduce((sum, { value }) => sum + value, 0n);
  const fee = formatUnits(sumOf('inputs') - sumOf('outputs'), decimals);
  return {
    inputs: listedOf(inputs),
    outputs: listedOf(outputs),
    fee: inputs.length === 0 ? null : { amount: fee, asset: symbol, payer: null },
  };
}

/** The largest coins, and the sum of the others. */
function listedOf(coins: readonly Coin[]): { listed: Coin[]; rest: { count: number; amount: string } | null } {
  const sorted = coins.toSorted((a, b) => compareAmounts(b.amount, a.amount));
  const others = sorted.slice(LISTED_MAX);
  const amount = others.reduce((sum, coin) => addAmounts(sum, coin.amount), '0');
  return { listed: sorted.slice(0, LISTED_MAX), rest: others.length === 0 ? null : { count: others.length, amount } };
}

/** Marks outputs to a payer or another address of a payer's holder as its own, and what signs alone call change as such. */
async function withParts(
  ctx: Context & Inquiry,
  { transaction, coins }: TransactionEvidence,
  { outputs }: Awaited<ReturnType<typeof coinsOf>>,
): Promise<(Coin & { part: OutputPart })[]> {
  const payers = new Set(coins!.inputs.flatMap(({ address }) => address ?? []));
  const paid = outputs.listed.flatMap(({ address }) => address ?? []);
  const keys = [...new Set([...payers, ...paid])].map((address) => addressKey('bitcoin', address));
  const holders = await entitiesOf(ctx.graph, keys, ctx.remainingMs());
  const holderOf = (address: string) => {
    const holder = holders.get(addressKey('bitcoin', address));
    return holder && !isOvergrown(holder) ? holder.id : null;
  };
  const paying = new Set([...payers].map(holderOf));
  const change = new Set(transaction.transfers.filter((one) => one.change === true).map(({ to }) => to));
  const partOf = (address: string | null): OutputPart => {
    if (address === null) return 'payment';
    const holder = holderOf(address);
    if (payers.has(address) || (holder !== null && paying.has(holder))) return 'own';
    return change.has(address) ? 'change' : 'payment';
  };
  return outputs.listed.map((coin) => ({ ...coin, part: partOf(coin.address) }));
}

async function price(ctx: Context, at: number | null, coins: readonly Coin[], signal: AbortSignal): Promise<void> {
  if (at === null) return;
  const priced = coins.map(({ amount }) => ({
    chain: 'bitcoin' as const,
    token: null,
    kind: 'native' as const,
    amount,
    at,
    usd: null as number | null,
  }));
  await ctx.prices.price(priced, signal);
  coins.forEach((coin, i) => {
    coin.usd = priced[i]!.usd;
  });
}

/** The transfers that moved value, in the order of the transaction. */
async function movedIn(ctx: Context, chain: Chain, { transaction }: TransactionEvidence, signal: AbortSignal) {
  const all = transaction.transfers.filter(movedValue);
  const transfers = all.slice(0, LISTED_MAX);
  if (transaction.at !== null) await ctx.prices.price(transfers, signal);
  return {
    unlisted: all.length - transfers.length,
    transfers: transfers.map(({ from, to, asset, token, amount, usd, kind, tokenId }) => ({
      from: canonicalAddress(chain, from)?.address ?? null,
      to: canonicalAddress(chain, to)?.address ?? null,
      asset,
      token,
      token_id: tokenId,
      amount,
      usd,
      kind,
    })),
  };
}

function feeOf(chain: Chain, { transaction: { transfers } }: TransactionEvidence) {
  const [first] = transfers;
  if (!first?.fee) return null;
  return { amount: first.fee, asset: NATIVE_COIN[chain].symbol, payer: first.feePayer ?? first.txSender };
}

/** The name of a known call, else its selector; null for a plain payment. */
function methodOf(input: string): string | null {
  const selector = /^0x([0-9a-f]{8})/i.exec(input)?.[1]?.toLowerCase();
  if (selector === undefined) return null;
  return KNOWN_CALLS.get(selector)?.name ?? `0x${selector}`;
}
