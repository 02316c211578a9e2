import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource } from '../../../src/chains/port.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../../src/chains/solana/address.ts';
import { openSolana } from '../../../src/chains/solana/solana.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { type SolanaChain, solanaChain, svmMissing, svmNode } from './svm.ts';
import { named, paid, purse, shown, sol } from './svm-expected.ts';
import {
  createAssociated,
  FEE_MINT_SIZE,
  type Instruction,
  MINT_SIZE,
  system,
  token,
  token2022,
  tokenInstructions,
} from './svm-instructions.ts';
import type { Keypair } from './svm-message.ts';
import { mintState } from './svm-parsed.ts';

const SOL = 1_000_000_000n;
const U64 = 2n ** 64n - 1n;
const FEE = 5_000n;

const [alice, bob, carol, dave] = [named('alice'), named('bob'), named('carol'), named('dave')] as const;
const people = [alice, bob, carol, dave];

describe.skipIf(svmMissing)(`Solana programs that really ran (${svmMissing ?? 'litesvm'})`, () => {
  let chain: SolanaChain;
  let server: ServedUpstream;
  let source: ChainSource;
  const mints: string[] = [];

  beforeAll(async () => {
    chain = solanaChain();
    const faucet = named('faucet');
    chain.endow(faucet.address, 500n * SOL);
    for (const { address } of people) chain.send([system.transfer(faucet.address, address, 100n * SOL)], faucet);
    server = await serveUpstream(svmNode(chain));
    source = openSolana({ rpcUrl: server.url }, { pageLimit: 50 });
  });
  afterAll(async () => {
    await server.close();
  });

  const read = async (instructions: Instruction[], ...signers: Keypair[]) => {
    const recorded = chain.send(instructions, ...signers);
    const found = (await source.transaction(recorded.transaction.signatures[0]!))!;
    expect(found).toMatchObject({ block: recorded.slot, at: recorded.blockTime * 1_000 });
    expect(recorded.meta.fee).toBe(FEE * BigInt(signers.length));
    return { recorded, found, transfers: found.transfers.map(shown) };
  };
  const succeed = async (instructions: Instruction[], ...signers: Keypair[]) => {
    const done = await read(instructions, ...signers);
    expect(done.recorded.meta.err, done.recorded.meta.logMessages.join('\n')).toBeNull();
    expect(done.found.status).toBe('success');
    return done;
  };
  /** A mint of its own with a supply in alice's usual account. */
  const minted = async (name: string, decimals: number, supply: bigint, feeBasisPoints?: number) => {
    const mint = named(name);
    const program = feeBasisPoints === undefined ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
    const size = feeBasisPoints === undefined ? MINT_SIZE : FEE_MINT_SIZE;
    const rules = tokenInstructions(program);
    const opened = await succeed(
      [
        system.createAccount(alice.address, mint.address, chain.rent(size), size, program),
        ...(feeBasisPoints === undefined
          ? []
          : [token2022.initializeTransferFee(mint.address, alice.address, feeBasisPoints, U64)]),
        rules.initializeMint2(mint.address, decimals, alice.address),
      ],
      alice,
      mint,
    );
    expect(opened.transfers).toEqual([sol(alice.address, mint.address, chain.rent(size))]);
    const to = purse(alice, mint.address, program);
    const filled = await succeed(
      [
        createAssociated(alice.address, alice.address, mint.address, program),
        rules.mintTo(mint.address, to, alice.address, supply),
      ],
      alice,
    );
    expect(filled.transfers).toEqual([paid(mint.address, mint.address, alice.address, supply)]);
    mints.push(mint.address);
    return mint.address;
  };

  it('reads a transfer of SOL to the lamport', async () => {
    const { transfers, found } = await succeed([system.transfer(alice.address, bob.address, 1_234_567_891n)], alice);
    expect(transfers).toEqual([sol(alice.address, bob.address, 1_234_567_891n)]);
    expect(found.transfers[0]).toMatchObject({ amount: '1.234567891', fee: '0.000005', kind: 'native', failed: false });
  });

  it('reads the SOL that opens an account', async () => {
    const fresh = named('fresh account');
    const lamports = chain.rent(10) + 7n;
    const { transfers, found } = await succeed(
      [system.createAccount(alice.address, fresh.address, lamports, 10, TOKEN_PROGRAM)],
      alice,
      fresh,
    );
    expect(transfers).toEqual([sol(alice.address, fresh.address, lamports)]);
    expect(found.transfers[0]).toMatchObject({ method: 'createAccount', fee: '0.00001' });
  });

  it('reads tokens minted, sent with and without their mint named, and burnt', async () => {
    const mint = await minted('classic mint', 6, 1_000_000_000n);
    const opening = await succeed(
      [
        createAssociated(alice.address, bob.address, mint, TOKEN_PROGRAM),
        token.transfer(purse(alice, mint), purse(bob, mint), alice.address, 250_000_001n),
      ],
      alice,
    );
    expect(opening.recorded.meta.innerInstructions.map(({ index }) => index)).toEqual([0]);
    expect(opening.transfers).toEqual([
      paid(mint, alice.address, bob.address, 250_000_001n),
      sol(alice.address, bob.address, chain.rent(165)),
    ]);
    expect(opening.found.transfers).toMatchObject([
      { amount: '250.000001', decimals: 6, index: 'ix:1' },
      { kind: 'internal', method: 'createAccount' },
    ]);
    const checked = await succeed(
      [token.transferChecked(purse(bob, mint), mint, purse(alice, mint), bob.address, 1n, 6)],
      bob,
    );
    expect(checked.transfers).toEqual([paid(mint, bob.address, alice.address, 1n)]);
    const burnt = await succeed([token.burn(purse(bob, mint), mint, bob.address, 50_000_000n)], bob);
    expect(burnt.transfers).toEqual([paid(mint, bob.address, mint, 50_000_000n)]);
  });

  it('parts the fee that Token-2022 withholds from what arrives, named by the instruction or not', async () => {
    const mint = await minted('mint with fee', 9, 10n ** 15n, 250);
    const [from, to] = [purse(alice, mint, TOKEN_2022_PROGRAM), purse(bob, mint, TOKEN_2022_PROGRAM)];
    await succeed([createAssociated(bob.address, bob.address, mint, TOKEN_2022_PROGRAM)], bob);
    const arrived = [paid(mint, alice.address, bob.address, 975_000n), paid(mint, alice.address, mint, 25_000n)];
    const named = await succeed(
      [token2022.transferCheckedWithFee(from, mint, to, alice.address, 1_000_000n, 9, 25_000n)],
      alice,
    );
    expect(named.transfers).toEqual(arrived);
    const untold = await succeed([token2022.transferChecked(from, mint, to, alice.address, 1_000_000n, 9)], alice);
    expect(untold.transfers).toEqual(arrived);
    expect(chain.held(bob.address).tokens.get(mint)).toBe(2n * 975_000n);
  });

  it('gives back the SOL of an account that wraps it, opened and closed in one transaction', async () => {
    const account = purse(carol, WRAPPED_SOL);
    const before = chain.account(dave.address)!.lamports;
    const rent = chain.rent(165);
    const { transfers, recorded } = await succeed(
      [
        createAssociated(carol.address, carol.address, WRAPPED_SOL, TOKEN_PROGRAM, true),
        system.transfer(carol.address, account, 3n * SOL),
        token.syncNative(account),
        token.closeAccount(account, dave.address, carol.address),
      ],
      carol,
    );
    expect(recorded.meta.preTokenBalances).toEqual([]);
    expect(recorded.meta.postTokenBalances).toEqual([]);
    expect(transfers).toEqual([sol(carol.address, dave.address, 3n * SOL + rent)]);
    expect(chain.account(dave.address)!.lamports - before).toBe(3n * SOL + rent);
  });

  it('reads wrapped SOL sent from owner to owner', async () => {
    const [from, to] = [purse(carol, WRAPPED_SOL), purse(dave, WRAPPED_SOL)];
    await succeed(
      [
        createAssociated(carol.address, carol.address, WRAPPED_SOL, TOKEN_PROGRAM),
        createAssociated(carol.address, dave.address, WRAPPED_SOL, TOKEN_PROGRAM),
        system.transfer(carol.address, from, SOL),
        token.syncNative(from),
      ],
      carol,
    );
    const { transfers } = await succeed([token.transfer(from, to, carol.address, SOL / 4n)], carol);
    expect(transfers).toEqual([paid(WRAPPED_SOL, carol.address, dave.address, SOL / 4n)]);
  });

  it('hands tokens and rent over with an account that changes hands', async () => {
    const mint = await minted('mint handed over', 2, 77n);
    const account = named('account handed over');
    await succeed(
      [
        system.createAccount(alice.address, account.address, chain.rent(165), 165, TOKEN_PROGRAM),
        token.initializeAccount3(account.address, mint, alice.address),
        token.transfer(purse(alice, mint), account.address, alice.address, 70n),
      ],
      alice,
      account,
    );
    const { transfers } = await succeed([token.setAccountOwner(account.address, alice.address, dave.address)], alice);
    expect(transfers).toHaveLength(2);
    expect(transfers).toContainEqual(paid(mint, alice.address, dave.address, 70n));
    expect(transfers).toContainEqual(sol(alice.address, dave.address, chain.rent(165)));
  });

  it('hands over the SOL that an account wraps when the account changes hands', async () => {
    const account = named('wrapped and handed over');
    const wrapped = chain.rent(165) + 2n * SOL;
    const opened = await succeed(
      [
        system.createAccount(alice.address, account.address, wrapped, 165, TOKEN_PROGRAM),
        token.initializeAccount3(account.address, WRAPPED_SOL, alice.address),
      ],
      alice,
      account,
    );
    expect(opened.transfers).toEqual([]);
    const given = await succeed([token.setAccountOwner(account.address, alice.address, bob.address)], alice);
    expect(given.transfers).toEqual([sol(alice.address, bob.address, wrapped)]);
    const closed = await succeed([token.closeAccount(account.address, dave.address, bob.address)], bob);
    expect(closed.transfers).toEqual([sol(bob.address, dave.address, wrapped)]);
  });

  it('takes nothing but the fee from a transaction that failed half way', async () => {
    const before = people.map(({ address }) => chain.account(address)!.lamports);
    const { found, recorded } = await read(
      [system.transfer(bob.address, alice.address, SOL), system.transfer(bob.address, alice.address, 10_000n * SOL)],
      bob,
    );
    expect(recorded.meta.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(found.status).toBe('failed');
    expect(found.transfers.length).toBeGreaterThan(0);
    expect(found.transfers.every(({ failed, fee }) => failed && fee === '0.000005')).toBe(true);
    const lost = people.map(({ address }, n) => before[n]! - chain.account(address)!.lamports);
    expect(lost).toEqual([0n, FEE, 0n, 0n]);
  });

  it('keeps amounts up to the last unit of 64 bits', async () => {
    const mint = await minted('mint of all', 9, U64);
    const { transfers, found } = await succeed(
      [
        createAssociated(bob.address, bob.address, mint, TOKEN_PROGRAM),
        token.transferChecked(purse(alice, mint), mint, purse(bob, mint), alice.address, U64, 9),
      ],
      bob,
      alice,
    );
    expect(transfers).toEqual([paid(mint, alice.address, bob.address, U64)]);
    expect(found.transfers[0]!.amount).toBe('18446744073.709551615');

    const whale = named('whale');
    const shoal = named('shoal').address;
    chain.endow(whale.address, U64);
    const most = U64 - SOL;
    const moved = await succeed([system.transfer(whale.address, shoal, most)], whale);
    expect(moved.transfers).toEqual([sol(whale.address, shoal, most)]);
    expect((await source.history(shoal)).balance).toBe('18446744072.709551615');
  });

  it('adds up to what the machine holds, for every owner and every asset', async () => {
    for (const { address } of people) {
      const history = await source.history(address);
      expect(history.coverage).toMatchObject({ complete: true, reasons: [] });
      expect(new Set(history.transfers.map(({ id }) => id)).size).toBe(history.transfers.length);
      const sums = new Map<string, bigint>();
      for (const { from, to, token: mint, amountRaw, failed } of history.transfers) {
        if (failed || from === to) continue;
        const asset = mint === null || mint === WRAPPED_SOL ? 'SOL' : mint;
        sums.set(asset, (sums.get(asset) ?? 0n) + (to === address ? 1n : -1n) * BigInt(amountRaw!));
      }
      const fees = chain.ledger
        .filter(({ transaction }) => transaction.message.accountKeys[0]!.pubkey === address)
        .reduce((sum, { meta }) => sum + meta.fee, 0n);
      const { lamports, tokens } = chain.held(address);
      expect((sums.get('SOL') ?? 0n) - fees, address).toBe(lamports);
      for (const mint of mints) expect(sums.get(mint) ?? 0n, `${address} ${mint}`).toBe(tokens.get(mint) ?? 0n);
    }
  });

  it('finds the same transfers of a token by the token as by the owner', async () => {
    const range = { from: 0, to: chain.ledger.at(-1)!.blockTime * 1_000, limit: 500 };
    const sorted = (transfers: Transfer[]) => transfers.map(({ id }) => id).sort();
    for (const { address } of [alice, bob]) {
      const history = await source.history(address);
      // An account given away, and not the usual one, is known from the history of its owner alone.
      for (const mint of mints.filter((mint) => mint !== named('mint handed over').address)) {
        const listed = await source.tokenTransfers({ token: mint, address, ...range });
        const own = history.transfers.filter((transfer) => transfer.token === mint);
        expect(sorted(listed.transfers)).toEqual(sorted(own));
        expect(listed.reasons).toEqual([]);
      }
    }
  });

  it('leaves no unit of a mint unaccounted: supply is what owners hold and what was withheld', () => {
    for (const mint of mints) {
      const { program, data } = chain.account(mint)!;
      const total = people.reduce((sum, { address }) => sum + (chain.held(address).tokens.get(mint) ?? 0n), 0n);
      const withheld = program === TOKEN_2022_PROGRAM ? 50_000n : 0n;
      expect(total + withheld, mint).toBe(mintState(program, data)!.supply);
    }
  });
});
