import { day, HOUR, MINUTE } from '../../../fixtures/demo/calendar.ts';
import { type BitcoinLedger, createBitcoinLedger } from '../../../fixtures/demo/ledgers/bitcoin.ts';
import { closeEvmWorld, createEvmLedger, type EvmLedger, ZERO_ADDRESS } from '../../../fixtures/demo/ledgers/evm.ts';
import { SELECTORS, transferCall } from '../../../fixtures/demo/ledgers/evm-abi.ts';
import { byPlace } from '../../../fixtures/demo/ledgers/places.ts';
import { createSolanaLedger, type SolanaLedger } from '../../../fixtures/demo/ledgers/solana.ts';
import { PROGRAMS, system } from '../../../fixtures/demo/ledgers/solana-instructions.ts';
import { createTronLedger, type TronLedger } from '../../../fixtures/demo/ledgers/tron.ts';
import { closeXrpWorld, createXrpLedger, type XrpLedger } from '../../../fixtures/demo/ledgers/xrp.ts';
import type { BitcoinTx, Frame, Move, World } from '../../../fixtures/demo/model.ts';
import { dateOf, makePrices } from '../../../fixtures/demo/prices.ts';
import { createRandom, type Random } from '../../../fixtures/demo/random.ts';
import { createStoryWriter, type StoryWriter } from '../../../fixtures/demo/story-writer.ts';
import { type Chain, EVM_CHAINS, isEvmChain, NATIVE_COIN } from '../../../src/domain/chain.ts';
import type { Category } from '../../../src/domain/label.ts';
import { KNOWN_TOKENS } from '../../../src/domain/tokens/known-tokens.ts';
import { utxoTransfers } from '../../../src/domain/transfers/utxo.ts';

/**
 * What happened, one transaction a line, and how those who took part are to be judged:
 *
 *     40 thief@Exploit: Aave>Exploit 5000 USDC; Exploit>Aave 5002.5 USDC; Exploit>thief all USDC
 *
 * On day 40 `thief` calls the contract `Exploit`, and money moves in this order. A line without a day follows within the hour; one
 * without a caller is a plain payment by who pays. Amounts are thousands of US dollars of an asset with a price (the chain's coin
 * where none is named), `all`, or a share of what is held; of other tokens they are units. Every amount of a pattern is scaled by
 * chance, and its days are moved. Names with a capital are contracts, which sign nothing, `cex` is a listed exchange, `0` mints and burns.
 */
export interface Pattern {
  name: string;
  chain?: Chain;
  /** `thief theft, Mixer mixer`: what lists say. */
  labels?: string;
  moves: readonly string[];
  /** Must be below HIGH. */
  innocent?: string;
  /** Must be HIGH or above. */
  criminal?: string;
  /** Must be MEDIUM or above. */
  suspect?: string;
}

/** Makes a pattern of its name, what is known and asked, and what happened. */
export function pattern(name: string, known: Omit<Pattern, 'name' | 'moves'>, moves: readonly string[]): Pattern {
  return { name, ...known, moves };
}

export interface Asked {
  pattern: Pattern;
  name: string;
  chain: Chain;
  address: string;
  kind: 'innocent' | 'criminal' | 'suspect';
}

interface Leg {
  from: string;
  to: string;
  amount: string;
  asset: string;
}

interface Order {
  at: number;
  signer: string;
  /** The contract that is called; null for a plain payment. */
  target: string | null;
  legs: (Omit<Leg, 'amount'> & { raw: bigint })[];
}

/** What a chain must do to play patterns. */
interface Stage {
  writer: StoryWriter;
  execute(): void;
  moves: Move[];
  balance(address: string, asset: string): bigint;
  /** What a sender of all leaves for the fee or the reserve. */
  reserve(order: Pick<Order, 'target' | 'signer'> & { outputs: number }): bigint;
  submit(order: Order): void;
  decimals(asset: string): number;
}

const PLENTY = 10n ** 13n;
const SHARED = new Set(['cex']);
const LINE = /^(?:([\d.]+) )?(?:(\S+)@(\S+): )?(.+)$/;
const LEG = /^(\S+)>(\S+) (all|[\d.]+%?)(?: (\S+))?$/;
const CONTRACT = /^[A-Z]\w*[a-z]/;
const STAGED = ['ethereum', 'arbitrum', 'bitcoin', 'tron', 'xrp', 'solana'] as const;

/** Invented chains on which these patterns happened, for servers of sources; rows of a table of the same; and who is asked about. */
export function makePatternWorld(patterns: readonly Pattern[], seed: string) {
  // One price for all days: what a pattern trades is worth what it says.
  const walk = makePrices(seed);
  const first = new Map(walk.toReversed().map(({ asset, usd }) => [asset, usd]));
  const prices = walk.map((row) => ({ ...row, usd: first.get(row.asset)! }));
  const bitcoin = createBitcoinLedger(seed);
  const evm = new Map(EVM_CHAINS.map((chain) => [chain, createEvmLedger(chain, seed)]));
  const tron = createTronLedger(seed);
  const xrp = createXrpLedger(seed);
  const solana = createSolanaLedger(seed);
  const written = STAGED.map((chain) => {
    const ledger = { bitcoin, tron, xrp, solana }[chain as string] ?? evm.get(chain as 'ethereum')!;
    return [chain, { ledger, ...createStoryWriter(chain, seed, ledger, prices) }] as const;
  });
  const stages = new Map<Chain, Stage>(
    written.map(([chain, { ledger, writer, execute }]) => {
      const of = isEvmChain(chain)
        ? evmStage(chain, writer, ledger as EvmLedger)
        : { bitcoin: bitcoinStage, tron: tronStage, xrp: xrpStage, solana: solanaStage }[chain as 'xrp'](
            writer,
            ledger as never,
          );
      return [chain, { writer, execute, moves: ledger.moves, ...of }];
    }),
  );
  const priceOf = new Map(prices.map(({ asset, date, usd }) => [`${asset} ${date}`, usd]));
  const asked = patterns.flatMap((pattern) => play(pattern, stages, priceOf, createRandom(`${seed}/${pattern.name}`)));
  for (const { execute, writer } of stages.values()) {
    writer.label('cex', 'exchange', 'Northgate Exchange', { entity: 'Northgate Exchange' });
    execute();
  }
  const evmWorlds = Object.fromEntries([...evm].map(([chain, { world }]) => [chain, world])) as World['evm'];
  for (const one of Object.values(evmWorlds)) closeEvmWorld(one);
  for (const { txs } of [bitcoin, solana.world, tron.world]) txs.sort(byPlace);
  closeXrpWorld(xrp.world);
  const world: World = {
    ...{ seed, prices, roles: [], moves: {} as World['moves'], evm: evmWorlds, bitcoin: { txs: bitcoin.txs } },
    ...{ solana: solana.world, tron: tron.world, xrp: xrp.world },
    labels: written.flatMap(([, { labels }]) => labels),
  };
  const senders = new Map(Object.values(evmWorlds).flatMap(({ txs }) => txs.map(({ hash, from }) => [hash, from])));
  const rows = [...stages].flatMap(([chain, { moves }]) => rowsOf(chain, chain === 'bitcoin' ? [] : moves, senders));
  rows.push(...bitcoin.txs.flatMap(bitcoinRows));
  return { world, asked, table: [COLUMNS.join(','), ...rows].join('\n') };
}

function play(
  pattern: Pattern,
  stages: ReadonlyMap<Chain, Stage>,
  priceOf: ReadonlyMap<string, number>,
  random: Random,
): Asked[] {
  const { chain = 'ethereum', labels = '', moves } = pattern;
  const stage = stages.get(chain)!;
  const nameOf = (name: string) => (SHARED.has(name) ? name : `${pattern.name}/${name}`);
  const { writer } = stage;
  const addressOf = (name: string) => {
    if (name === '0') return ZERO_ADDRESS;
    return name === 'Weth' ? assetOf(chain, 'WETH', String) : writer.address(nameOf(name));
  };
  const scale = 0.5 + 2 * random.next();
  const shift = 60 * random.next();
  let at = 0;
  for (const line of moves) {
    const [, days, signer, target, rest] = LINE.exec(line)!;
    at = days === undefined ? at + random.int(5, 55) * MINUTE : day(0) + (Number(days) + shift) * 24 * HOUR;
    const legs = rest!.split('; ').map((text): Leg => {
      const [, from, to, amount, asset = NATIVE_COIN[chain].symbol] = LEG.exec(text) ?? [];
      if (!from || !to || !amount) throw new RangeError(`${pattern.name}: no leg: ${text}`);
      return { from, to, amount, asset };
    });
    const caller = signer ?? legs[0]!.from;
    if (CONTRACT.test(caller)) throw new RangeError(`${pattern.name}: a contract signs nothing: ${line}`);
    const when = at;
    writer.plan(when, () => {
      const order = { at: when, signer: addressOf(caller), target: target ? addressOf(target) : null };
      const gained = new Map<string, bigint>();
      const placed = legs.map(({ from, to, amount, asset: symbol }) => {
        const asset = assetOf(chain, symbol, () => writer.address(`${pattern.name}/token ${symbol}`));
        const ends = { from: addressOf(from), to: addressOf(to) };
        const gain = (who: string, raw: bigint) =>
          gained.set(`${who} ${asset}`, (gained.get(`${who} ${asset}`) ?? 0n) + raw);
        const isCoin = asset === NATIVE_COIN[chain].symbol;
        const kept = isCoin && ends.from === order.signer ? stage.reserve({ ...order, outputs: legs.length }) : 0n;
        const held = stage.balance(ends.from, asset) + (gained.get(`${ends.from} ${asset}`) ?? 0n) - kept;
        const dollars = priceOf.get(`${priceName(chain, asset, symbol)} ${dateOf(when)}`) ?? 1;
        const decimals = stage.decimals(asset);
        const stated = () =>
          (BigInt(Math.round(((Number(amount) * scale * 1_000) / dollars) * 1e6)) * 10n ** BigInt(decimals)) /
          1_000_000n;
        const share = () => (held * BigInt(Math.round(Number.parseFloat(amount) * 1_000))) / 100_000n;
        const wanted = amount === 'all' ? held : amount.endsWith('%') ? share() : stated();
        // Fees were paid of it.
        const raw = from !== '0' && wanted > held && wanted * 98n < held * 100n ? held : wanted;
        if (from !== '0' && raw > held)
          throw new RangeError(`${pattern.name}: ${line}: ${from} holds ${held}, not ${raw}`);
        gain(ends.from, -raw);
        gain(ends.to, raw);
        return { ...ends, asset, raw };
      });
      stage.submit({ ...order, legs: placed });
    });
  }
  for (const stated of labels.split(', ').filter(Boolean)) {
    const [name = '', category] = stated.split(' ');
    writer.label(nameOf(name), category as Category, `${pattern.name}: ${category}`);
  }
  const names = [...new Set(moves.flatMap((line) => line.split(/[ >@:;]+/)))].filter((name) => CONTRACT.test(name));
  for (const name of names) markContract(stage, addressOf(name));
  return (['innocent', 'criminal', 'suspect'] as const).flatMap((kind) =>
    (pattern[kind] ?? '')
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ pattern, name, chain, address: addressOf(name), kind })),
  );
}

const markers = new WeakMap<Stage['balance'], (address: string) => void>();
function markContract({ balance }: Stage, address: string): void {
  markers.get(balance)?.(address);
}

/** Coins and tokens with a price by their symbol or contract, others by an address of the pattern. */
function assetOf(chain: Chain, symbol: string, own: () => string): string {
  if (symbol === NATIVE_COIN[chain].symbol) return symbol;
  const known = [...KNOWN_TOKENS].find(([key, token]) => key.startsWith(`${chain}:`) && token.symbol === symbol);
  return known ? known[0].slice(chain.length + 1) : own();
}

function priceName(chain: Chain, asset: string, symbol: string): string {
  return KNOWN_TOKENS.get(`${chain}:${asset}`)?.priceAs ?? symbol;
}

type OfChain = Omit<Stage, 'writer' | 'execute' | 'moves'>;

function evmStage(chain: Chain, { address, plan }: StoryWriter, ledger: EvmLedger): OfChain {
  const { world } = ledger;
  const coin = NATIVE_COIN[chain].symbol;
  const cex = address('cex');
  const keyOf = (holder: string, asset: string) => (asset === coin ? holder : `${asset}:${holder}`);
  const addToken = (token: string): void => {
    if (world.contracts.has(token)) return;
    const { symbol, decimals } = KNOWN_TOKENS.get(`${chain}:${token}`) ?? {
      symbol: `T${token.slice(2, 6)}`,
      decimals: 18,
    };
    ledger.addContract({ address: token, standard: 'erc20', name: symbol, symbol, decimals, creator: null });
  };
  plan(day(0) - HOUR, () => {
    ledger.mintGenesis(cex, PLENTY * 10n ** 12n);
    for (const [key, { decimals }] of KNOWN_TOKENS) {
      if (!key.startsWith(`${chain}:`)) continue;
      addToken(key.slice(chain.length + 1));
      world.balances.set(keyOf(cex, key.slice(chain.length + 1)), 10n ** BigInt(decimals + 10));
    }
    ledger.gasStation = cex;
  });
  const balance = (holder: string, asset: string) => world.balances.get(keyOf(holder, asset)) ?? 0n;
  markers.set(balance, (contract) => {
    if (KNOWN_TOKENS.has(`${chain}:${contract}`)) return;
    ledger.addContract({ address: contract, standard: 'other', name: '', symbol: '', decimals: 0, creator: null });
  });
  return {
    balance,
    reserve: ({ target }) => (target ? 1_000_000n : 42_000n) * 10n ** 9n,
    decimals: (asset) => (asset === coin ? 18 : (KNOWN_TOKENS.get(`${chain}:${asset}`)?.decimals ?? 18)),
    submit({ at, signer, target, legs }) {
      for (const { asset } of legs) if (asset !== coin) addToken(asset);
      const [first] = legs;
      if (!target) {
        if (first!.asset === coin) return void ledger.submit({ at, from: signer, to: first!.to, value: first!.raw });
        const { from, to, raw, asset: token } = first!;
        const input = transferCall(to, raw);
        return void ledger.submit({ at, from: signer, to: token, input, tokens: [{ token, from, to, raw }] });
      }
      const paid = legs.find(({ asset, from, to }) => asset === coin && from === signer && to === target);
      const calls = legs.flatMap((leg): Frame[] =>
        leg.asset === coin && leg !== paid ? [{ type: 'CALL', from: leg.from, to: leg.to, value: leg.raw }] : [],
      );
      const tokens = legs.flatMap(({ asset, ...leg }) => (asset === coin ? [] : [{ token: asset, ...leg }]));
      const called = { at, from: signer, to: target, input: SELECTORS.multicall };
      ledger.submit({ ...called, value: paid?.raw ?? 0n, tokens, calls });
    },
  };
}

function bitcoinStage({ address, plan }: StoryWriter, ledger: BitcoinLedger): OfChain {
  for (let i = 0; i < 400; i++) {
    const at = day(0) - (401 - i) * MINUTE;
    plan(at, () => ledger.coinbase(at, address('cex'), 50e8));
  }
  const unspent = (holder: string) => {
    const spent = new Set(ledger.txs.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)));
    return ledger.txs.flatMap(({ txid, outputs }) =>
      outputs.filter((output, vout) => output.address === holder && !spent.has(`${txid}:${vout}`)),
    ).length;
  };
  return {
    balance: (holder) => BigInt(ledger.balance(holder)),
    reserve: ({ signer, outputs }) => BigInt((11 + 68 * unspent(signer) + 31 * (outputs + 1)) * 5),
    decimals: () => 8,
    submit({ at, legs }) {
      const from = [...new Set(legs.map((leg) => leg.from))];
      ledger.send({ at, from, outputs: legs.map(({ to, raw }) => ({ address: to, value: Number(raw) })) });
    },
  };
}

function tronStage({ address, plan, stable }: StoryWriter, ledger: TronLedger): OfChain {
  const dollar = stable!.token;
  ledger.addToken({ address: dollar, symbol: 'USDT', name: 'Tether USD', decimals: 6 });
  plan(day(0) - HOUR, () => {
    ledger.mintGenesis(address('cex'), PLENTY);
    ledger.world.balances.set(`${dollar}:${address('cex')}`, PLENTY * 10n);
    ledger.gasStation = address('cex');
  });
  return {
    balance: (holder, asset) => ledger.world.balances.get(asset === 'TRX' ? holder : `${asset}:${holder}`) ?? 0n,
    reserve: () => 20_000_000n,
    decimals: () => 6,
    submit({ at, signer, target, legs }) {
      const [{ from, to, raw, asset }] = legs as [Order['legs'][0]];
      if (!target) return ledger.transfer({ at, from, to, token: asset === 'TRX' ? null : stable, raw });
      const tokens = legs.map(({ asset: token, ...leg }) => ({ token, ...leg }));
      ledger.submit({ at, type: 'TriggerSmartContract', owner: signer, to: target, tokens });
    },
  };
}

function xrpStage({ address, plan }: StoryWriter, ledger: XrpLedger): OfChain {
  plan(day(0) - HOUR, () => ledger.mintGenesis(address('cex'), PLENTY * 10n));
  return {
    balance: (holder) => ledger.world.balances.get(holder) ?? 0n,
    reserve: () => 1_100_000n,
    decimals: () => 6,
    submit: ({ at, legs: [leg] }) => ledger.transfer({ at, from: leg!.from, to: leg!.to, token: null, raw: leg!.raw }),
  };
}

function solanaStage({ address, plan, stable }: StoryWriter, ledger: SolanaLedger): OfChain {
  const { token: mint, symbol, decimals } = stable!;
  ledger.addMint({ address: mint, symbol, decimals, programId: PROGRAMS.token });
  plan(day(0) - HOUR, () => ledger.mintGenesis(address('cex'), PLENTY * 10_000n));
  return {
    balance: (holder) => ledger.world.lamports.get(holder) ?? 0n,
    reserve: () => 10_000_000n,
    decimals: () => 9,
    submit: ({ at, signer, legs }) =>
      ledger.submit({
        at,
        payer: signer,
        instructions: legs.map(({ from, to, raw }) => system.transfer(from, to, raw)),
      }),
  };
}

const COLUMNS = 'chain tx_hash index block timestamp from to asset amount usd token kind tx_sender'.split(' ');

/** As an export has them: a CoinJoin is a party of its own. Coins that were mined have a receiver alone, and are in no file. */
function bitcoinRows({ txid, at, inputs, outputs }: BitcoinTx): string[] {
  const sides = [inputs, outputs].map((side) => side.map(({ address, value }) => ({ address, value: BigInt(value) })));
  const coinbase = inputs.some(({ address }) => address === null);
  const place = { txHash: txid, block: 1, blockHash: '', at, coinbase };
  const { transfers } = utxoTransfers({ ...place, inputs: sides[0]!, outputs: sides[1]! });
  return (coinbase ? [] : transfers).map(({ index, from, to, amount }) =>
    ['bitcoin', txid, index, '', new Date(at).toISOString(), from, to, 'BTC', amount, '', '', 'native', ''].join(','),
  );
}

function rowsOf(chain: Chain, moves: readonly Move[], senders: ReadonlyMap<string, string>): string[] {
  const count = new Map<string, number>();
  return moves.map(({ txHash, at, from, to, symbol, token, amount, kind }) => {
    const number = count.get(txHash) ?? 0;
    count.set(txHash, number + 1);
    const place = { native: 'native', token: `log:${number}`, internal: `trace:${number}`, nft: `log:${number}` }[
      kind as 'nft'
    ];
    const index = isEvmChain(chain) ? place : String(number);
    const cells = [chain, txHash, index, '', new Date(at).toISOString(), from, to, symbol, amount, '', token, kind];
    return [...cells, senders.get(txHash)].map((cell) => cell ?? '').join(',');
  });
}
