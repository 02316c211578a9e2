import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { STAKE_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../../src/chains/solana/address.ts';
import { solanaTransactionShape } from '../../../src/chains/solana/shapes.ts';
import { mainTransferFirst, solanaTransfers } from '../../../src/chains/solana/transfers.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { key, solanaTx, spl, system, type TxParts, timeOf, unparsed } from './cluster.ts';

const S = 210_000_000;
const [alice, bob, carol, mint, pool] = ['alice', 'bob', 'carol', 'mint', 'pool'].map(key) as [
  string,
  string,
  string,
  string,
  string,
];
const purse = (owner: string) => key(`purse of ${owner}`);
const shown = ({ from, to, token, amount }: Transfer) => ({ from, to, token, amount });
const read = (parts: TxParts) =>
  solanaTransfers(solanaTransactionShape.parse(solanaTx(parts)), timeOf(parts.slot) * 1_000).transfers;
const holds = (owner: string, before: string | undefined, after: string | undefined, more = {}) => ({
  account: purse(owner),
  owner,
  mint,
  before,
  after,
  ...more,
});

describe('what a Solana transaction moves', () => {
  it('names owners where an instruction names token accounts', () => {
    const instructions = [
      spl('transfer', { source: purse(alice), destination: purse(bob), authority: alice, amount: '2500000' }),
    ];
    const tokens = [holds(alice, '9000000', '6500000'), holds(bob, '0', '2500000')];
    expect(read({ slot: S, payer: alice, tokens, instructions })).toMatchObject([
      {
        from: alice,
        to: bob,
        token: mint,
        amount: '2.5',
        amountRaw: '2500000',
        decimals: 6,
        index: 'ix:0',
        txSender: alice,
      },
    ]);
  });

  describe('of a mint whose issuer multiplies what is shown', () => {
    const multiplied = (raw: string, shown: string | number) => ({ amount: raw, decimals: 6, uiAmountString: shown });
    const parts = (instruction: ReturnType<typeof spl>) => {
      const row = solanaTx({
        slot: S,
        payer: alice,
        tokens: [holds(alice, '9000000', '6000000'), holds(bob, '0', '3000000')],
        instructions: [instruction],
      });
      const [before, , after] = [
        row.meta.preTokenBalances[0]!,
        row.meta.preTokenBalances[1]!,
        row.meta.postTokenBalances[1]!,
      ];
      Object.assign(before.uiTokenAmount, { uiAmountString: '31.5' });
      Object.assign(after.uiTokenAmount, { uiAmountString: '10.5' });
      return solanaTransfers(solanaTransactionShape.parse(row), 1_000).transfers;
    };
    const ends = { source: purse(alice), destination: purse(bob), authority: alice };

    it.each([
      ['in its own words', spl('transferChecked', { ...ends, mint, tokenAmount: multiplied('3000000', '10.5') })],
      ['by the balances, where an instruction shows none', spl('transfer', { ...ends, amount: '3000000' })],
      [
        'by the balances, where an instruction shows the plain amount',
        spl('transferChecked', { ...ends, mint, tokenAmount: multiplied('3000000', '3') }),
      ],
      ['by the balances, where only they moved', unparsed(key('exchange'))],
    ])('gives the amount as the reply shows it: %s', (_, instruction) => {
      expect(parts(instruction)).toMatchObject([
        { from: alice, to: bob, token: mint, amount: '10.5', amountRaw: '3000000', decimals: null },
      ]);
    });

    it('gives a part of what is shown in proportion', () => {
      const [first, second] = parts(spl('transfer', { ...ends, amount: '2000000' }));
      expect([first?.amount, second?.amount]).toEqual(['7', '3.5']);
    });
  });

  it.each([
    ['parsed', { programId: TOKEN_2022_PROGRAM, parsed: { type: 'confidentialTransfer', info: {} } }],
    ['parsed with a fee', { programId: TOKEN_2022_PROGRAM, parsed: { type: 'confidentialTransferWithFee', info: {} } }],
    ['a deposit', { programId: TOKEN_2022_PROGRAM, parsed: { type: 'depositConfidentialTransfer', info: {} } }],
    ['in bytes', { programId: TOKEN_2022_PROGRAM, data: base58.encode(Uint8Array.of(27, 7, 1, 2)) }],
  ])('says that it also moved hidden amounts: %s', (_, instruction) => {
    const hides = (instructions: TxParts['instructions']) =>
      solanaTransfers(solanaTransactionShape.parse(solanaTx({ slot: S, payer: alice, instructions })), 1_000).hidden;
    expect(hides([instruction])).toBe(true);
    expect(hides([{ ...instruction, programId: TOKEN_PROGRAM }])).toBe(false);
    expect(
      hides([spl('transfer', { source: purse(alice), destination: purse(bob), authority: alice, amount: '1' })]),
    ).toBe(false);
  });

  it('sees no payment in what an owner hides in its own account, nor in what it takes out again', () => {
    const hiding = (type: string) => [{ programId: TOKEN_2022_PROGRAM, parsed: { type, info: {} } }];
    const moved = (type: string, before: string, after: string) =>
      read({ slot: S, payer: alice, tokens: [holds(alice, before, after)], instructions: hiding(type) });
    expect(moved('depositConfidentialTransfer', '9000000', '4000000')).toEqual([]);
    expect(moved('withdrawConfidentialTransfer', '4000000', '9000000')).toEqual([]);
  });

  it('knows the owner of an account that only exists after, or only before, the transaction', () => {
    const opened = read({
      slot: S,
      payer: alice,
      tokens: [holds(alice, '5', undefined), holds(bob, undefined, '5')],
      instructions: [
        spl('transferChecked', {
          source: purse(alice),
          destination: purse(bob),
          authority: alice,
          mint,
          tokenAmount: { amount: '5', decimals: 6 },
        }),
      ],
    });
    expect(opened.map(shown)).toEqual([{ from: alice, to: bob, token: mint, amount: '0.000005' }]);
  });

  it('names the owner for which several sign, where old balances name none', () => {
    const [board, ends] = [key('board'), { source: purse(alice), destination: purse(bob) }];
    const paid = read({
      slot: S,
      payer: alice,
      tokens: [holds(alice, '7', '0', { owner: undefined }), holds(bob, '0', '7')],
      instructions: [spl('transfer', { ...ends, multisigAuthority: board, signers: [alice], amount: '7' })],
    });
    expect(paid.map(shown)).toEqual([{ from: board, to: bob, token: mint, amount: '0.000007' }]);
  });

  it('sees through wrapped SOL in an account that is opened and closed on the way', () => {
    const temporary = key('temporary');
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [alice]: [10_000_000, 3_000_000], [purse(pool)]: [1_000_000, 8_000_000] },
      tokens: [{ account: purse(pool), owner: pool, mint: WRAPPED_SOL, before: '0', after: '7000000', decimals: 9 }],
      instructions: [
        system('createAccount', { source: alice, newAccount: temporary, lamports: 9_039_280, owner: TOKEN_PROGRAM }),
        spl('initializeAccount', { account: temporary, mint: WRAPPED_SOL, owner: alice }),
        unparsed(key('exchange')),
        spl('closeAccount', { account: temporary, destination: alice, owner: alice }),
      ],
      inner: {
        2: [spl('transfer', { source: temporary, destination: purse(pool), authority: alice, amount: '7000000' })],
      },
    };
    expect(read(parts).map(shown)).toEqual([{ from: alice, to: pool, token: WRAPPED_SOL, amount: '0.007' }]);
  });

  it('pays the balance of a closed account to where it goes', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [purse(alice)]: [2_039_280, 0], [bob]: [1, 2_039_281] },
      tokens: [holds(alice, '0', undefined)],
      instructions: [spl('closeAccount', { account: purse(alice), destination: bob, owner: alice })],
    };
    expect(read(parts).map(shown)).toEqual([{ from: alice, to: bob, token: null, amount: '0.00203928' }]);
  });

  it.each([
    ['named by the instruction', 'transferCheckedWithFee', { feeAmount: { amount: '30', decimals: 6 } }],
    ['shown by the balances only', 'transferChecked', {}],
  ])('credits what is left after a fee withheld by Token-2022, %s', (_, type, fee) => {
    const info = {
      source: purse(alice),
      destination: purse(bob),
      authority: alice,
      mint,
      tokenAmount: { amount: '1000', decimals: 6 },
      ...fee,
    };
    const parts: TxParts = {
      slot: S,
      payer: alice,
      tokens: [holds(alice, '5000', '4000'), holds(bob, '0', '970')],
      instructions: [spl(type, info, TOKEN_2022_PROGRAM)],
    };
    expect(read(parts).map(shown)).toEqual([
      { from: alice, to: bob, token: mint, amount: '0.00097' },
      { from: alice, to: mint, token: mint, amount: '0.00003' },
    ]);
  });

  it('mints from and burns to the mint', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      tokens: [holds(alice, '0', '70'), holds(bob, '9', '4')],
      instructions: [
        spl('mintTo', { mint, account: purse(alice), mintAuthority: carol, amount: '70' }),
        spl('burnChecked', { mint, account: purse(bob), authority: bob, tokenAmount: { amount: '5', decimals: 6 } }),
      ],
    };
    expect(read(parts).map(shown)).toEqual([
      { from: mint, to: alice, token: mint, amount: '0.00007' },
      { from: bob, to: mint, token: mint, amount: '0.000005' },
    ]);
  });

  it('reads seeds, nonces, new accounts and stake as the SOL they move', () => {
    const stake = key('stake');
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [alice]: [1_000, 867], [bob]: [0, 93], [carol]: [0, 100], [stake]: [60, 0] },
      instructions: [
        system('transferWithSeed', {
          source: alice,
          destination: bob,
          lamports: 33,
          sourceBase: alice,
          sourceSeed: 's',
          sourceOwner: carol,
        }),
        system('createAccountWithSeed', {
          source: alice,
          newAccount: carol,
          lamports: 100,
          base: alice,
          seed: 's',
          owner: bob,
          space: 0,
        }),
        {
          programId: STAKE_PROGRAM,
          program: 'stake',
          parsed: {
            type: 'withdraw',
            info: { stakeAccount: stake, destination: bob, lamports: 60, withdrawAuthority: alice },
          },
        },
      ],
    };
    expect(read(parts).map(shown)).toEqual([
      { from: alice, to: bob, token: null, amount: '0.000000033' },
      { from: alice, to: carol, token: null, amount: '0.0000001' },
      { from: stake, to: bob, token: null, amount: '0.00000006' },
    ]);
  });

  it('falls back to balances for programs that nobody parses, exact with one payer', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [pool]: [500, 200], [alice]: [0, 250], [carol]: [0, 50] },
      instructions: [unparsed(key('curve'))],
    };
    const transfers = read(parts);
    expect(new Set(transfers.map((t) => JSON.stringify(shown(t))))).toEqual(
      new Set([
        JSON.stringify({ from: pool, to: alice, token: null, amount: '0.00000025' }),
        JSON.stringify({ from: pool, to: carol, token: null, amount: '0.00000005' }),
      ]),
    );
    expect(transfers.every(({ apportioned, method }) => !apportioned && method === 'balance')).toBe(true);
  });

  it('shares out by what each lost where several paid several, to the last lamport', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [pool]: [200, 0], [bob]: [100, 0], [alice]: [0, 199], [carol]: [0, 101] },
      instructions: [unparsed(key('mixer'))],
    };
    const transfers = read(parts);
    const received = (to: string) =>
      transfers.filter((t) => t.to === to).reduce((sum, t) => sum + Number(t.amountRaw), 0);
    expect([received(alice), received(carol)]).toEqual([199, 101]);
    expect(transfers.every(({ apportioned }) => apportioned)).toBe(true);
  });

  it('shows what a failed transaction meant as failed', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [alice]: [900, 900], [bob]: [0, 0] },
      instructions: [system('transfer', { source: alice, destination: bob, lamports: 400 })],
      err: { InstructionError: [0, 'Custom'] },
    };
    expect(read(parts)).toMatchObject([{ failed: true, amount: '0.0000004', fee: '0.000005' }]);
    expect(read(parts)).toHaveLength(1);
  });

  it('takes the payment, not the rent for the account that it opens, for what a transaction is about', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      lamports: { [alice]: [3_000_000, 960_720], [purse(bob)]: [0, 2_039_280] },
      tokens: [holds(alice, '9', '4'), holds(bob, undefined, '5')],
      instructions: [
        {
          programId: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
          parsed: { type: 'create', info: { account: purse(bob), mint, wallet: bob, source: alice } },
        },
        spl('transfer', { source: purse(alice), destination: purse(bob), authority: alice, amount: '5' }),
      ],
      inner: { 0: [system('createAccount', { source: alice, newAccount: purse(bob), lamports: 2_039_280 })] },
    };
    const transaction = solanaTransactionShape.parse(solanaTx(parts));
    const ordered = mainTransferFirst(transaction, solanaTransfers(transaction, timeOf(S) * 1_000).transfers);
    expect(ordered.map(shown)).toEqual([
      { from: alice, to: bob, token: mint, amount: '0.000005' },
      { from: alice, to: bob, token: null, amount: '0.00203928' },
    ]);
  });

  it('hands the balance over when a token account changes hands', () => {
    const parts: TxParts = {
      slot: S,
      payer: alice,
      tokens: [],
      instructions: [
        spl('setAuthority', {
          account: purse(alice),
          authority: alice,
          authorityType: 'accountOwner',
          newAuthority: bob,
        }),
      ],
    };
    const tx = solanaTx({ ...parts, tokens: [holds(alice, '8', '8')] });
    tx.meta.postTokenBalances[0]!.owner = bob;
    expect(solanaTransfers(solanaTransactionShape.parse(tx), timeOf(S) * 1_000).transfers.map(shown)).toEqual([
      { from: alice, to: bob, token: mint, amount: '0.000008' },
    ]);
  });
});
