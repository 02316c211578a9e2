import { expect, it } from 'vitest';
import { canonicalAddress, detectChain } from '../../src/domain/address/address.ts';
import { type Chain, EVM_CHAINS, isChain } from '../../src/domain/chain.ts';
import { readVectors, VECTORS_MISSING } from './address-vectors.ts';

/** Every test of this file reads a vector file; where they are absent it is skipped with the reason. */
function vectorTest(name: string, run: () => void): void {
  it(name, (context) => {
    if (VECTORS_MISSING) context.skip(VECTORS_MISSING);
    run();
  });
}

interface BipSection {
  title: string;
  valid: boolean;
  items: { values: string[] }[];
}

/** The valid segwit vectors of one document; BIP 350 ended those of BIP 173 with a version above 0. */
function segwit(document: string, valid: boolean): string[] {
  const sections: BipSection[] = readVectors(document).sections;
  const wanted = sections.filter((section) => section.valid === valid && section.title.includes('segwit addresses'));
  return wanted.flatMap((section) => section.items.flatMap((item) => item.values.slice(0, 1)));
}

vectorTest('BIP 350: valid mainnet witness addresses are Bitcoin in lower case, testnet ones are refused', () => {
  const vectors = segwit('bip0350.json', true);
  expect(vectors.length).toBe(8);
  for (const text of vectors) {
    const mainnet = text.toLowerCase().startsWith('bc1');
    expect(canonicalAddress('bitcoin', text), text).toEqual(mainnet ? { address: text.toLowerCase() } : null);
    expect(detectChain(text), text).toBe(mainnet ? 'bitcoin' : null);
  }
});

vectorTest('BIP 350 and BIP 173: every invalid witness address is refused', () => {
  const vectors = [...segwit('bip0350.json', false), ...segwit('bip0173.json', false)];
  expect(vectors.length).toBeGreaterThanOrEqual(25);
  for (const text of vectors) {
    expect(canonicalAddress('bitcoin', text), text).toBeNull();
    expect(detectChain(text), text).toBeNull();
  }
});

vectorTest('BIP 173: version 0 stays valid, later versions with the old checksum do not', () => {
  for (const text of segwit('bip0173.json', true)) {
    const expected = /^bc1q/i.test(text) ? { address: text.toLowerCase() } : null;
    expect(canonicalAddress('bitcoin', text), text).toEqual(expected);
  }
});

vectorTest('BIP 173 and BIP 350: bare bech32 strings are not addresses of any chain', () => {
  const sections: BipSection[] = ['bip0173.json', 'bip0350.json'].flatMap((name) => readVectors(name).sections);
  const strings = sections.filter((section) => !section.title.includes('segwit addresses'));
  const vectors = strings.flatMap((section) => section.items.flatMap((item) => item.values));
  expect(vectors.length).toBeGreaterThan(35);
  for (const text of vectors) expect(detectChain(text), text).toBeNull();
});

vectorTest('bitcoinjs: mainnet addresses of every output type are accepted, other networks are refused', () => {
  const { standard, bech32 } = readVectors('bitcoinjs/address.json');
  const vectors: [string, boolean][] = [
    ...standard.map((v: { network: string; base58check?: string; bech32?: string }) => [
      v.base58check ?? v.bech32,
      v.network === 'bitcoin',
    ]),
    ...bech32
      .filter(
        (v: { address: string }) => v.address !== 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      )
      .map((v: { address: string; prefix: string }) => [v.address, v.prefix === 'bc']),
  ];
  expect(vectors.length).toBeGreaterThan(15);
  for (const [text, mainnet] of vectors) {
    const canonical = text.toLowerCase().startsWith('bc1') ? text.toLowerCase() : text;
    expect(canonicalAddress('bitcoin', text), text).toEqual(mainnet ? { address: canonical } : null);
  }
});

vectorTest('bitcoinjs: invalid addresses are refused, but a taproot key off the curve is a payable output', () => {
  const { invalid } = readVectors('bitcoinjs/address.json');
  const vectors: { address: string; paymentException?: string; network?: { bech32: string } }[] = [
    ...invalid.bech32,
    ...invalid.fromBase58Check,
    ...invalid.toOutputScript,
  ];
  for (const { address, paymentException, network } of vectors) {
    if (network?.bech32 === 'foo') continue; // a valid mainnet address, wrong only for a network of that name
    const expected = paymentException ? { address } : null;
    expect(canonicalAddress('bitcoin', address), address).toEqual(expected);
  }
});

vectorTest('bitcoinjs: of the Base58 keys only mainnet addresses are addresses, private keys never', () => {
  const vectors: [string, string, { isPrivkey: boolean; isTestnet: boolean }][] = readVectors(
    'bitcoinjs/base58_keys_valid.json',
  );
  for (const [text, , { isPrivkey, isTestnet }] of vectors) {
    const address = !isPrivkey && !isTestnet;
    expect(canonicalAddress('bitcoin', text), text).toEqual(address ? { address: text } : null);
    expect(detectChain(text), text).toBe(address ? 'bitcoin' : null);
  }
});

vectorTest('bitcoinjs: Base58 of other lengths is not an address', () => {
  const vectors: [string, string][] = readVectors('bitcoinjs/base58_encode_decode.json');
  for (const [, text] of vectors) expect(detectChain(text), text).toBeNull();
});

vectorTest('ethers: every EIP-55 address is accepted on all EVM chains, its ICAP and bare forms are refused', () => {
  const accounts: { address: string; icap: string }[] = readVectors('ethers/accounts.json');
  expect(accounts.length).toBe(259);
  for (const { address, icap } of accounts) {
    for (const chain of EVM_CHAINS) {
      expect(canonicalAddress(chain, address), address).toEqual({ address: address.toLowerCase() });
    }
    expect(detectChain(address)).toBe('ethereum');
    expect(canonicalAddress('ethereum', icap), icap).toBeNull();
    expect(canonicalAddress('ethereum', address.slice(2)), address).toBeNull();
  }
});

vectorTest('ethers: one letter in the wrong case breaks the EIP-55 checksum', () => {
  const accounts: { address: string }[] = readVectors('ethers/accounts.json');
  let tried = 0;
  for (const { address } of accounts) {
    const letters = [...address.slice(2)].filter((digit) => /[a-f]/i.test(digit)).length;
    if (letters < 3) continue;
    const at = 2 + address.slice(2).search(/[a-fA-F]/);
    const digit = address[at]!;
    const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
    const broken = address.slice(0, at) + other + address.slice(at + 1);
    const digits = broken.slice(2);
    if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) continue;
    expect(canonicalAddress('ethereum', broken), broken).toBeNull();
    tried += 1;
  }
  expect(tried).toBeGreaterThan(200);
});

vectorTest('ethers: addresses of created contracts are accepted', () => {
  for (const name of ['ethers/create.json', 'ethers/create2.json']) {
    const groups: { sender: string; creates: { address: string }[] }[] = readVectors(name);
    for (const { sender, creates } of groups) {
      for (const address of [sender, ...creates.map((create) => create.address)]) {
        expect(canonicalAddress('base', address), address).toEqual({ address: address.toLowerCase() });
      }
    }
  }
});

vectorTest('tronweb: addresses of created contracts are TRON addresses', () => {
  const groups: { creates: { address: string }[] }[] = readVectors('tronweb-create2.json');
  const addresses = groups.flatMap((group) => group.creates.map((create) => create.address));
  expect(addresses.length).toBeGreaterThan(16);
  for (const address of addresses) {
    expect(canonicalAddress('tron', address), address).toEqual({ address });
    expect(detectChain(address), address).toBe('tron');
  }
});

interface ListedVector {
  chain: string;
  address: string;
  valid: boolean;
  opts?: string | null;
}

/** The lists also hold addresses of test networks, valid only when their validator is asked for them. */
const TEST_NETWORK = /^(?:tb1|[mn2]|GSa5)/;

/** wallet-core asks Solana for a key on the curve; program-derived accounts lie off it and own money all the same. */
const OFF_CURVE = /^(?:6X4X1Ae2|EDNd1ycs|ANVCrmRw|AbygL37R)/;

vectorTest('multicoin-address-validator and wallet-core: both lists are judged as their authors do', () => {
  const vectors: ListedVector[] = [
    ...readVectors('multicoin-address-validator.json'),
    ...readVectors('wallet-core.json'),
  ];
  const judged = vectors.filter(({ chain }) => isChain(chain));
  expect(judged.length).toBe(141);
  for (const { chain, address, valid } of judged) {
    const mainnet = valid && !(chain === 'bitcoin' && TEST_NETWORK.test(address));
    const expected = mainnet || (chain === 'solana' && OFF_CURVE.test(address));
    expect(canonicalAddress(chain as Chain, address) !== null, `${chain} ${address}`).toBe(expected);
  }
});

vectorTest('xrpl-py: a mainnet X-address becomes its classic account and tag, a testnet one is refused', () => {
  const vectors: { classic: string; tag: number | null; x_main: string; x_test: string }[] =
    readVectors('xrp-x-address.json');
  expect(vectors.length).toBe(22);
  for (const { classic, tag, x_main, x_test } of vectors) {
    const expected = tag === null ? { address: classic } : { address: classic, tag };
    expect(canonicalAddress('xrp', x_main), x_main).toEqual(expected);
    expect(detectChain(x_main), x_main).toBe('xrp');
    expect(canonicalAddress('xrp', classic), classic).toEqual({ address: classic });
    expect(canonicalAddress('xrp', x_test), x_test).toBeNull();
    expect(detectChain(x_test), x_test).toBeNull();
  }
});
