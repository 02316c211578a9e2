import { describe, expect, it } from 'vitest';
import type { Frame } from '../../fixtures/demo/model.ts';
import { demoWorld } from '../../fixtures/demo/world.ts';
import { EVM_CHAINS } from '../../src/domain/chain.ts';

const world = demoWorld();

/** Balances replayed from what the chain shows, refusing to go below zero. */
function createBook(start: ReadonlyMap<string, bigint>) {
  const book = new Map(start);
  return {
    book,
    add(key: string, amount: bigint) {
      const left = (book.get(key) ?? 0n) + amount;
      expect(left >= 0n, `${key} would hold ${left}`).toBe(true);
      book.set(key, left);
    },
  };
}
const total = (values: Iterable<bigint>) => [...values].reduce((sum, value) => sum + value, 0n);

describe('no money appears or vanishes', () => {
  it('on Bitcoin: each output is spent at most once, after it was made, and the fee is what is left', () => {
    const unspent = new Map<string, { address: string | null; value: number }>();
    for (const tx of world.bitcoin.txs) {
      const isCoinbase = tx.inputs[0]!.address === null;
      if (!isCoinbase) {
        for (const { txid, vout, address, value } of tx.inputs) {
          expect(unspent.get(`${txid}:${vout}`), `${tx.txid} spends ${txid}:${vout}`).toEqual({ address, value });
          unspent.delete(`${txid}:${vout}`);
        }
        const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0);
        expect(tx.inputs.reduce((sum, { value }) => sum + value, 0)).toBe(paid + tx.fee);
      }
      expect(tx.fee).toBeGreaterThanOrEqual(0);
      tx.outputs.forEach((output, vout) => void unspent.set(`${tx.txid}:${vout}`, output));
    }
  });

  it.each(EVM_CHAINS)('on %s: values, calls, logs and gas replay to the final balances', (chain) => {
    const { txs, genesis, balances, contracts } = world.evm[chain];
    const { book, add } = createBook(genesis);
    let burnt = 0n;
    const walk = (frames: Frame[]) => {
      for (const { type, error, from, to, value, calls = [] } of frames) {
        if (error) continue;
        if (type === 'CALL') {
          add(from, -value);
          add(to, value);
        }
        walk(calls);
      }
    };
    const party = (topic: string | undefined) => `0x${topic!.slice(-40)}`;
    for (const tx of txs) {
      const gas = BigInt(tx.gasUsed) * tx.gasPrice;
      burnt += gas;
      add(tx.from, -gas);
      if (!tx.ok) {
        expect(tx.logs).toEqual([]);
        continue;
      }
      add(tx.from, -tx.value);
      add((tx.to ?? tx.contractAddress)!, tx.value);
      walk(tx.calls);
      for (const { address, topics, data } of tx.logs) {
        if (contracts.get(address)!.standard !== 'erc20' || !topics[0]!.startsWith('0xddf252ad')) continue;
        const [from, to] = [party(topics[1]), party(topics[2])];
        if (!/^0x0+$/.test(from)) add(`${address}:${from}`, -BigInt(data));
        if (!/^0x0+$/.test(to)) add(`${address}:${to}`, BigInt(data));
      }
    }
    for (const [key, value] of book) expect(balances.get(key) ?? 0n, key).toBe(value);
    const coins = [...balances].filter(([key]) => !key.includes(':')).map(([, value]) => value);
    expect(total(coins) + burnt).toBe(total(genesis.values()));
  });

  it('on Solana: each transaction begins with what the last one left, and loses the fee alone', () => {
    const held = new Map(world.solana.genesis);
    const tokens = new Map<string, bigint>();
    for (const tx of world.solana.txs) {
      tx.keys.forEach(({ pubkey }, i) => {
        expect(tx.pre[i], `${tx.signature} ${pubkey}`).toBe(held.get(pubkey) ?? 0n);
        expect(tx.post[i]! >= 0n).toBe(true);
        held.set(pubkey, tx.post[i]!);
      });
      expect(total(tx.pre) - total(tx.post)).toBe(BigInt(tx.fee));
      for (const { account, amount } of tx.preTokens) expect(amount).toBe(tokens.get(account));
      for (const { account } of tx.preTokens) tokens.delete(account);
      for (const { account, amount } of tx.postTokens) tokens.set(account, amount);
    }
    for (const [account, { amount }] of world.solana.tokenAccounts) expect(tokens.get(account)).toBe(amount);
  });

  it('on TRON: transfers, calls and fees replay to the final balances', () => {
    const { txs, genesis, balances } = world.tron;
    const { book, add } = createBook(genesis);
    const zero = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb';
    for (const tx of txs) {
      add(tx.owner, -tx.fee);
      if (!tx.ok) continue;
      const unit = tx.assetId ? `${tx.assetId}:` : '';
      add(`${unit}${tx.owner}`, -tx.value);
      if (tx.to && tx.type !== 'FreezeBalanceV2Contract') add(`${unit}${tx.to}`, tx.value);
      for (const { token, from, to, raw } of tx.tokens) {
        if (from !== zero) add(`${token}:${from}`, -raw);
        add(`${token}:${to}`, raw);
      }
      for (const { from, to, value, rejected } of tx.internal) {
        if (rejected) continue;
        add(from, -value);
        add(to, value);
      }
    }
    for (const [key, value] of book) expect(balances.get(key) ?? 0n, key).toBe(value);
  });

  it('on the XRP Ledger: the changed entries agree with the payments', () => {
    const { txs, genesis, balances } = world.xrp;
    const { book } = createBook(genesis);
    let burnt = 0n;
    for (const tx of txs) {
      burnt += tx.fee;
      for (const node of tx.affected as Record<string, AccountNode>[]) {
        const [kind, { LedgerEntryType, FinalFields, NewFields, PreviousFields }] = Object.entries(node)[0]!;
        if (LedgerEntryType !== 'AccountRoot') continue;
        const after = (FinalFields ?? NewFields)!;
        if (kind === 'ModifiedNode') expect(BigInt(PreviousFields!.Balance)).toBe(book.get(after.Account));
        else expect(book.has(after.Account)).toBe(false);
        expect(BigInt(after.Balance) >= 0n).toBe(true);
        book.set(after.Account, BigInt(after.Balance));
      }
    }
    for (const [account, drops] of book) expect(balances.get(account)).toBe(drops);
    expect(total(book.values()) + burnt).toBe(total(genesis.values()));
    const sequences = new Map<string, number>();
    for (const { account, sequence } of txs) {
      expect(sequence).toBe((sequences.get(account) ?? sequence - 1) + 1);
      sequences.set(account, sequence);
    }
  });
});

interface AccountNode {
  LedgerEntryType: string;
  FinalFields?: { Account: string; Balance: string };
  NewFields?: { Account: string; Balance: string };
  PreviousFields?: { Balance: string };
}
