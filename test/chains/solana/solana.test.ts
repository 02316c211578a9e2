import { base58 } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import {
  associatedTokenAccount,
  isOnCurve,
  metadataAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/chains/solana/address.ts';
import { openSolana } from '../../../src/chains/solana/solana.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { serveUpstream } from '../../contract/upstream.ts';
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
  wallet,
} from './cluster.ts';

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

  it('is complete where all that an owner holds is explained, and says what no transaction brought', async () => {
    const rent = 2_039_280;
    const opened = solanaTx({
      slot: S,
      payer: bob,
      lamports: {
        [alice]: [0, 3_000_000_000],
        [bob]: [9_000_000_000, 6_000_000_000 - rent],
        [purse(alice)]: [0, rent],
      },
      tokens: [
        { account: purse(alice), owner: alice, mint, before: '0', after: '7' },
        { account: purse(bob), owner: bob, mint, before: '9', after: '2' },
      ],
      instructions: [],
    });
    // Moves nothing and costs its payer the fee.
    const voted = solanaTx({
      slot: S + 1,
      payer: alice,
      lamports: { [alice]: [2_980_000_000, 2_980_000_000] },
      instructions: [],
      fee: 20_000_000,
    });
    const covered = async (lamports: number, amount: string) => {
      const owned = { [alice]: [{ account: purse(alice), mint, lamports: rent, amount }] };
      const accounts = { [alice]: wallet(lamports), [mint]: mintAccount(6) };
      const { source } = await open({ txs: [opened, voted], owned, accounts });
      return (await source.history(alice)).coverage;
    };
    expect(await covered(2_980_000_000, '7')).toEqual({ complete: true, sources: ['rpc'], reasons: [] });
    expect(await covered(5_500_000_000, '8')).toEqual({
      complete: false,
      sources: ['rpc'],
      reasons: ['balance_unexplained'],
      unexplained: [
        { asset: 'SOL', token: null, amount: '2.52' },
        { asset: expect.any(String), token: mint, amount: '0.000001' },
      ],
    });
  });

  it('asks again for what it holds where that may have changed while the history was read', async () => {
    const paid = solanaTx({
      slot: S,
      payer: bob,
      lamports: { [alice]: [0, 3_000_000_000], [bob]: [3_000_000_000, 0] },
      instructions: [system('transfer', { source: bob, destination: alice, lamports: 3_000_000_000 })],
    });
    const accounts: Record<string, unknown> = {};
    const node = solanaNode({ txs: [paid], accounts });
    const server = await serveUpstream((request) => {
      if ((request.body as { method?: string }).method === 'getSignaturesForAddress')
        accounts[alice] = wallet(3_000_000_000);
      return node(request);
    });
    served.push(server);
    const history = await openSolana({ rpcUrl: server.url }, { pageLimit: 5 }).history(alice);
    expect(history).toMatchObject({ balance: '3', coverage: { complete: true } });
  });

  it.each(['pruned', 'bare'])(
    'says when the node has thrown transactions away, or their balances (%s)',
    async (kind) => {
      const owned = { [alice]: [{ account: purse(alice), mint }] };
      const { source } = await open({
        txs: [received(S), received(S + 1)],
        owned,
        [kind]: new Set([signature(`tx ${S}`)]),
      });
      const history = await source.history(alice);
      expect(history.transfers).toHaveLength(1);
      expect(history.coverage).toEqual({ complete: false, sources: ['rpc'], reasons: ['pruned_history'] });
    },
  );

  it.each<[string, Pick<TxParts, 'lamports' | 'tokens'>, { token: string | null; amount: string }]>([
    ['coin', { lamports: { [alice]: [70, 90], [bob]: [20, 0] } }, { token: null, amount: '0.00000007' }],
    [
      'tokens',
      {
        tokens: [
          { account: purse(alice), owner: alice, mint, before: '4000000', after: '5000000' },
          { account: purse(bob), owner: bob, mint, before: '1000000', after: '0' },
        ],
      },
      { token: mint, amount: '4' },
    ],
  ])('begins at the first transaction that the node keeps where that one found %s', async (_, found, opening) => {
    const instruction = system('transfer', { source: bob, destination: alice, lamports: 20 });
    const first = solanaTx({ slot: S, payer: carol, ...found, instructions: [instruction] });
    const { source } = await open({
      txs: [first, received(S + 9)],
      owned: { [alice]: [{ account: purse(alice), mint }] },
    });
    const from = timeOf(S) * 1_000;
    const history = await source.history(alice);
    expect(history.coverage).toMatchObject({ complete: false, reasons: expect.arrayContaining(['pruned_history']) });
    expect(history.read).toEqual(['coin', 'tokens'].map((list) => ({ list, from, to: null })));
    expect(history.balances).toContainEqual({ ...opening, at: from });
  });

  it('says since when a known token is frozen in an account, by what lists the accounts and the transactions that were read', async () => {
    const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
    const state = 'frozen';
    const freeze = solanaTx({
      slot: S + 4,
      payer: carol,
      tokens: [{ account: purse(alice), owner: alice, mint: usdt, before: '7', after: '7' }],
      instructions: [spl('freezeAccount', { account: purse(alice), mint: usdt, freezeAuthority: carol })],
    });
    const frozen = async (txs: Cluster['txs'], account: object) => {
      const owned = { [alice]: [{ account: purse(alice), mint: usdt, amount: '7', ...account }] };
      return (await (await open({ txs, owned })).source.history(alice)).frozen;
    };
    expect(await frozen([freeze], { state })).toEqual([{ token: usdt, since: timeOf(S + 4) * 1_000 }]);
    expect(await frozen([], { state })).toEqual([{ token: usdt, since: null }]);
    expect(await frozen([freeze], { state: 'initialized' })).toEqual([]);
    // Anybody can make a token and freeze it.
    expect(await frozen([], { state, mint })).toEqual([]);
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

  it('distinguishes wallets, programs, token accounts and shared accounts', async () => {
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
      owner: alice,
      coverage: { reasons: ['owner_of_token_account'] },
      transfers: [{ from: bob, to: alice }],
    });
  });

  it('says what a wallet held where its reading begins, where every account of the asset was touched', async () => {
    const paid = (slot: number, [before, after]: [number, number], token: [string, string]) =>
      solanaTx({
        slot,
        payer: bob,
        lamports: { [alice]: [before, after], [bob]: [after, before], [purse(alice)]: [2_000_000, 2_000_000] },
        tokens: [
          { account: purse(alice), owner: alice, mint, before: token[0], after: token[1] },
          { account: purse(bob), owner: bob, mint, before: '9000000', after: '9000000' },
        ],
        instructions: [],
      });
    const txs = [
      paid(S, [5_000_000_000, 4_000_000_000], ['7000000', '6000000']),
      paid(S + 10, [4_000_000_000, 3_000_000_000], ['6000000', '5000000']),
    ];
    const from = async (owned: Cluster['owned'], slot: number) => {
      const { source } = await open({ txs, owned, accounts: { [alice]: wallet(1) } });
      const place = { txHash: signature(`tx ${slot}`), block: slot, at: timeOf(slot) * 1_000 };
      const { balances } = await source.historyAround(alice, { direction: 'forward', ...place, pages: 3 });
      return balances?.map(({ token, amount, at }) => [token, amount, at! - place.at]);
    };
    const usual = { [alice]: [{ account: purse(alice), mint }] };
    // Rent in its token account is the owner's.
    expect(await from(usual, S)).toEqual([
      [null, '5.002', 0],
      [mint, '7', 0],
    ]);
    expect(await from(usual, S + 10)).toEqual([
      [null, '4.002', 0],
      [mint, '6', 0],
    ]);
    const second = { [alice]: [...usual[alice]!, { account: key('second purse'), mint }] };
    expect(await from(second, S)).toEqual([[null, '5.002', 0]]);
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

  it('reads a mint as a whole, and owns up to the transfers that name no mint', async () => {
    const owned = { [alice]: [{ account: purse(alice), mint }] };
    const { source } = await open({ txs: [received(S), received(S + 1)], owned });
    const query = { token: mint, from: 0, to: timeOf(S + 9) * 1_000, limit: 1 };
    expect(await source.tokenTransfers({ ...query, limit: 9 })).toMatchObject({
      reasons: ['unnamed_mint_not_listed'],
      transfers: [{ block: S + 1 }, { block: S }],
    });
    expect((await source.tokenTransfers({ ...query, address: alice })).transfers).toMatchObject([{ block: S + 1 }]);
  });
});

describe('Solana addresses', () => {
  it('derives the token account that wallets use', () => {
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const owner = 'B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M';
    expect(associatedTokenAccount(owner, usdc, TOKEN_PROGRAM)).toBe('Efc6bp3wVC2iQpewxRmKdZM8vzt9DCFFhL7EiHYNGunv');
  });

  it('distinguishes keys from derived addresses', () => {
    expect(isOnCurve('B2v68t8MXb9zUms1VQKuCcvjrjKDK6fLd8ZngqmBGy1M')).toBe(true);
    expect(isOnCurve('Efc6bp3wVC2iQpewxRmKdZM8vzt9DCFFhL7EiHYNGunv')).toBe(false);
    expect(isOnCurve(metadataAddress(SYSTEM_PROGRAM))).toBe(false);
  });
});
