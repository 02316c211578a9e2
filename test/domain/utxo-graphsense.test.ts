import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type UtxoParty, utxoTransfers } from '../../src/domain/transfers/utxo.ts';

const folder = new URL('../../../shared/data/graphsense-fixtures/utxo/', import.meta.url);
const missing = existsSync(folder) ? null : 'GraphSense fixtures are not beside the project';

interface Party {
  address: string[];
  value: number;
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(name, folder), 'utf8');
  return text.split('\n').flatMap((line) => (line.trim() ? [JSON.parse(line) as T] : []));
}

function toParty({ address, value }: Party): UtxoParty {
  return { address: address.length === 1 ? address[0]! : null, value: BigInt(value) };
}

it('agrees with the address relations of GraphSense, which rounds each edge, to one satoshi a transaction', (context) => {
  if (missing) context.skip(missing);
  const transactions = readLines<{
    txHash: string;
    coinbase: boolean;
    inputs: Party[];
    outputs: Party[];
    timestamp: number;
    blockId: number;
  }>('test_txs.json');
  const names = new Map(
    readLines<{ addressId: number; address: string }>('reference/addresses.json').map((a) => [a.addressId, a.address]),
  );
  const found = new Map<string, { value: bigint; transactions: number }>();
  for (const tx of transactions) {
    const { transfers } = utxoTransfers({
      txHash: tx.txHash,
      block: tx.blockId,
      blockHash: '',
      at: tx.timestamp * 1_000,
      coinbase: tx.coinbase,
      inputs: tx.inputs.map(toParty),
      outputs: tx.outputs.map(toParty),
    });
    for (const { from, to, amountRaw } of transfers) {
      const edge = found.get(`${from}>${to}`) ?? { value: 0n, transactions: 0 };
      found.set(`${from}>${to}`, { value: edge.value + BigInt(amountRaw!), transactions: edge.transactions + 1 });
    }
  }
  const relations = readLines<{
    srcAddressId: number;
    dstAddressId: number;
    noTransactions: number;
    estimatedValue: { value: number };
  }>('reference/address_relations.json');
  expect(relations.length).toBeGreaterThan(15);
  expect(found.size).toBe(relations.length);
  for (const { srcAddressId, dstAddressId, noTransactions, estimatedValue } of relations) {
    const name = `${names.get(srcAddressId)}>${names.get(dstAddressId)}`;
    const edge = found.get(name);
    expect(edge?.transactions, name).toBe(noTransactions);
    expect(Math.abs(Number(edge!.value) - estimatedValue.value), name).toBeLessThanOrEqual(noTransactions);
  }
});
