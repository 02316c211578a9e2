import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { base58 } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import { openSolana } from '../../src/chains/solana.ts';
import {
  associatedTokenAccount,
  isOnCurve,
  metadataAddress,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL,
} from '../../src/chains/solana-address.ts';
import { movementsOf } from '../../src/chains/solana-movements.ts';
import { type SolanaTransaction, transactionShape } from '../../src/chains/solana-shapes.ts';
import { mainFirst, solanaTransfers } from '../../src/chains/solana-transfers.ts';
import type { Transfer } from '../../src/domain/transfer.ts';
import { serveUpstream } from '../contract/upstream.ts';
import { noRecordings, recorded } from './recordings.ts';
import {
  type Cluster,
  key,
  mintAccount,
  signature,
  solanaNode,
  solanaTx,
  spl,
  system,
  type TxParts,
  timeOf,
  unparsed,
  wallet,
} from './solana-cluster.ts';

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
  solanaTransfers(transactionShape.parse(solanaTx(parts)), timeOf(parts.slot) * 1_000).transfers;
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
    ['told by the instruction', 'transferCheckedWithFee', { feeAmount: { amount: '30', decimals: 6 } }],
    ['told by the balances only', 'transferChecked', {}],
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
    const transaction = transactionShape.parse(solanaTx(parts));
    const ordered = mainFirst(transaction, solanaTransfers(transaction, timeOf(S) * 1_000).transfers);
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
    expect(solanaTransfers(transactionShape.parse(tx), timeOf(S) * 1_000).transfers.map(shown)).toEqual([
      { from: alice, to: bob, token: mint, amount: '0.000008' },
    ]);
  });
});

describe('Solana as a source', () => {
  const served: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of served.splice(0)) await server.close();
  });
  const open = async (cluster: Cluster, pageLimit = 50) => {
    const server = await serveUpstream(solanaNode(cluster));
    served.push(server);
    return { source: openSolana({ rpcUrl: server.url }, { pageLimit }), server };
  };
  const received = (slot: number, account = purse(alice)) =>
    solanaTx({
      slot,
      payer: bob,
      tokens: [
        { account: purse(bob), owner: bob, mint, before: '9', after: '8' },
        { account, owner: alice, mint, before: '0', after: '1' },
      ],
      instructions: [spl('transfer', { source: purse(bob), destination: account, authority: bob, amount: '1' })],
    });

  it('keeps 64-bit amounts exact', async () => {
    const most = '18446744073709551615';
    const tx = solanaTx({
      slot: S,
      payer: alice,
      lamports: { [bob]: [most, '0'], [carol]: ['0', most] },
      instructions: [system('transfer', { source: bob, destination: carol, lamports: `raw:${most}` })],
    });
    const { source } = await open({ txs: [tx] });
    expect((await source.transaction(signature(`tx ${S}`)))?.transfers).toMatchObject([
      { amountRaw: most, amount: '18446744073.709551615', asset: 'SOL' },
    ]);
  });

  it('finds tokens received in an account that has been closed since', async () => {
    const closing = solanaTx({
      slot: S + 5,
      payer: alice,
      tokens: [{ account: purse(alice), owner: alice, mint, before: '1', after: undefined }],
      instructions: [spl('burn', { account: purse(alice), mint, authority: alice, amount: '1' })],
    });
    const { source } = await open({ txs: [received(S), closing] });
    const history = await source.history(alice);
    expect(history.transfers.map(shown)).toEqual([
      { from: alice, to: mint, token: mint, amount: '0.000001' },
      { from: bob, to: alice, token: mint, amount: '0.000001' },
    ]);
    expect(history.transactionCount).toBe(2);
  });

  it('says when the node has thrown transactions away', async () => {
    const owned = { [alice]: [{ account: purse(alice), mint }] };
    const { source } = await open({
      txs: [received(S), received(S + 1)],
      owned,
      pruned: new Set([signature(`tx ${S}`)]),
    });
    const history = await source.history(alice);
    expect(history.transfers).toHaveLength(1);
    expect(history.coverage).toEqual({ complete: false, sources: ['rpc'], reasons: ['pruned_history'] });
  });

  it('reads symbols from the metadata of Token-2022 and of the Token Metadata program, and doubts known names', async () => {
    const [extended, classic, fake] = [key('extended'), key('classic'), key('fake')];
    const metadata = (symbol: string) => {
      const text = (value: string, size: number) => {
        const field = Buffer.alloc(4 + size);
        field.writeUInt32LE(size);
        field.write(value, 4);
        return field;
      };
      const bytes = Buffer.concat([Buffer.alloc(65, 7), text('A name', 32), text(symbol, 10)]);
      return {
        lamports: 1,
        owner: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
        executable: false,
        data: [bytes.toString('base64'), 'base64'],
      };
    };
    const tokens = [extended, classic, fake].flatMap((token) => [
      { account: key(`a ${token}`), owner: alice, mint: token, before: '5', after: '0', decimals: 0 },
      { account: key(`b ${token}`), owner: bob, mint: token, before: '0', after: '5', decimals: 0 },
    ]);
    const instructions = [extended, classic, fake].map((token) =>
      spl('transfer', { source: key(`a ${token}`), destination: key(`b ${token}`), authority: alice, amount: '5' }),
    );
    const { source, server } = await open({
      txs: [solanaTx({ slot: S, payer: alice, tokens, instructions })],
      accounts: {
        [extended]: mintAccount(0, [{ extension: 'tokenMetadata', state: { name: 'E', symbol: 'EXT' } }]),
        [classic]: mintAccount(0),
        [metadataAddress(classic)]: metadata('CLS'),
        [fake]: mintAccount(0),
        [metadataAddress(fake)]: metadata('USDC'),
      },
    });
    const found = await source.transaction(signature(`tx ${S}`));
    expect(found?.transfers.map(({ asset }) => asset)).toEqual(['EXT', 'CLS', `USDC:${fake}`]);
    await source.transaction(signature(`tx ${S}`));
    expect(
      server.requests.filter(({ body }) => (body as { method: string }).method === 'getMultipleAccounts'),
    ).toHaveLength(1);
  });

  it('tells wallets, programs, token accounts and shared accounts apart', async () => {
    const onCurve = base58.encode(
      Buffer.from('5866666666666666666666666666666666666666666666666666666666666666', 'hex'),
    );
    const tokenAccount = {
      lamports: 2_039_280,
      owner: TOKEN_PROGRAM,
      executable: false,
      data: { parsed: { type: 'account', info: { owner: alice, mint } } },
    };
    const { source } = await open({
      txs: [received(S)],
      accounts: {
        [onCurve]: wallet(7),
        [pool]: {
          lamports: 1,
          owner: 'BPFLoaderUpgradeab1e11111111111111111111111',
          executable: true,
          data: ['', 'base64'],
        },
        [purse(alice)]: tokenAccount,
        [carol]: { ...tokenAccount, data: { parsed: { type: 'multisig', info: {} } } },
      },
    });
    expect(await source.history(onCurve)).toMatchObject({ addressType: 'wallet', balance: '0.000000007', found: true });
    expect(await source.history(pool)).toMatchObject({ addressType: 'program' });
    expect(await source.history(carol)).toMatchObject({ addressType: 'multisig' });
    expect(await source.history(purse(alice))).toMatchObject({
      addressType: 'token_account',
      coverage: { reasons: ['owner_of_token_account'] },
      transfers: [{ from: bob, to: alice }],
    });
  });

  it('reads a node that is behind again', async () => {
    const node = solanaNode({ txs: [received(S)] });
    let asked = 0;
    const server = await serveUpstream((request) => {
      asked += 1;
      const error = { code: -32_005, message: 'Node is behind by 42 slots' };
      return asked === 1 ? { json: { jsonrpc: '2.0', id: 1, error } } : node(request);
    });
    served.push(server);
    const source = openSolana({ rpcUrl: server.url }, { pageLimit: 5 });
    expect((await source.transaction(signature(`tx ${S}`)))?.status).toBe('success');
  });
});

describe('Solana addresses', () => {
  it('derives the token account that wallets use', () => {
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const owner = 'B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M';
    expect(associatedTokenAccount(owner, usdc, TOKEN_PROGRAM)).toBe('Efc6bp3wVC2iQpewxRmKdZM8vzt9DCFFhL7EiHYNGunv');
  });

  it('tells keys from derived addresses', () => {
    expect(isOnCurve('B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M')).toBe(true);
    expect(isOnCurve('Efc6bp3wVC2iQpewxRmKdZM8vzt9DCFFhL7EiHYNGunv')).toBe(false);
    expect(isOnCurve(metadataAddress(SYSTEM_PROGRAM))).toBe(false);
  });
});

describe.skipIf(noRecordings)('replays of recorded Solana replies (need shared/data)', () => {
  const folder = 'rpc-staketax-solana/fetch_tx/';
  const names = () => readdirSync(fileURLToPath(new URL(`../../../shared/data/${folder}`, import.meta.url)));
  const transactions = (): SolanaTransaction[] =>
    names().map((name) => transactionShape.parse(recorded(folder + name).result));

  it('explains every change of every balance in 19 recorded transactions', () => {
    const all = transactions();
    expect(all).toHaveLength(19);
    for (const transaction of all) {
      const { list, balanced } = movementsOf(transaction);
      expect(balanced).toBe(true);
      // By instructions alone, save for accounts that other programs opened or closed and their rent.
      expect(list.filter(({ type }) => type === 'balance').length).toBeLessThanOrEqual(1);
      const sums = new Map<string, bigint>();
      const add = (owner: string, mint: string, amount: bigint) =>
        sums.set(`${owner} ${mint}`, (sums.get(`${owner} ${mint}`) ?? 0n) + amount);
      const { meta, transaction: message } = transaction;
      for (const { accountIndex, mint: token, owner, uiTokenAmount } of meta.postTokenBalances ?? []) {
        if (token !== WRAPPED_SOL)
          add(owner ?? message.message.accountKeys[accountIndex]!.pubkey, token, uiTokenAmount.amount);
      }
      for (const { accountIndex, mint: token, owner, uiTokenAmount } of meta.preTokenBalances ?? []) {
        if (token !== WRAPPED_SOL)
          add(owner ?? message.message.accountKeys[accountIndex]!.pubkey, token, -uiTokenAmount.amount);
      }
      for (const { mint: token, from, to, amount } of list) {
        if (token === null || token === WRAPPED_SOL) continue;
        add(from, token, amount);
        add(to, token, -amount);
      }
      for (const [holder, rest] of sums) {
        const [owner, token] = holder.split(' ');
        if (owner !== token) expect(rest, holder).toBe(0n);
      }
    }
  });

  it('reads recorded transfers of SOL and USDC as their instructions say', async () => {
    const of = (name: string) => {
      const transaction = transactionShape.parse(recorded(`rpc-solana-explorer/${name}.json`).result);
      return solanaTransfers(transaction, transaction.blockTime! * 1_000).transfers;
    };
    expect(
      of(
        'mainnet-single-usdc-4LXpF3MCdp69iFmD27Sn812UNpqFPHM4qXH7Y12E964p9GHXvwMe1XEmyasogVT2N4XEctdQQLf1sHY6Gvsa5sFX',
      ),
    ).toMatchObject([
      {
        from: '3V9bd3EN5aNuhE4RiHGbZ1eZakJ1F9cDb8V4YLjCG8cg',
        to: 'B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M',
        asset: 'USDC',
        amount: '3.8',
        block: 419_685_246,
        at: 1_778_761_079_000,
        fee: '0.00004837',
      },
    ]);
    expect(
      of('mainnet-multi-sol-2msqMqeUTTZhgite3PvWSLJhZJ3m4v4UMbDAcXymTPpXwKM5PcKfZFfxn4izZ2UTZmngYJeWSf1ztdD6kdeDkdbr'),
    ).toHaveLength(2);
  });

  it('pages through the recorded signatures of an address exactly once', async () => {
    const address = '4kLALtynrmd6pU2LkGXZCmUaMDfsnVixs7SkLjPKNJQG';
    const page = recorded(`rpc-staketax-solana/_get_txids/wrapper-${address}-1000-.json`);
    const listed: { signature: string }[] = page.result;
    const empty = (result: unknown) => ({ json: { jsonrpc: '2.0', id: 1, result } });
    const server = await serveUpstream(({ body }) => {
      const { method, params } = body as { method: string; params: [string, { before?: string; limit?: number }] };
      if (method === 'getSignaturesForAddress') {
        const start = params[1].before ? listed.findIndex(({ signature: s }) => s === params[1].before) + 1 : 0;
        return empty(listed.slice(start, start + params[1].limit!));
      }
      return empty(
        method === 'getTransaction' ? null : { context: { slot: 1 }, value: method === 'getAccountInfo' ? null : [] },
      );
    });
    const source = openSolana({ rpcUrl: server.url }, { pageLimit: 50 });
    const history = await source.history(address);
    await server.close();
    expect(history.transactionCount).toBe(listed.length);
    expect(history.coverage.reasons).toEqual(['pruned_history']);
  });
});
