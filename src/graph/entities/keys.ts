import { addressKey } from '../../domain/address/address-key.ts';
import { addressesOfKey, addressesOfWallet } from '../../domain/address/public-key.ts';
import { type ChainAddress, isEvmChain } from '../../domain/chain.ts';
import { type Evidence, earlierProof, type Proof } from '../../domain/entity.ts';
import { slicesOf } from '../../domain/slices.ts';
import type { Graph, GraphTransaction, Row } from '../port.ts';
import { settle } from './settle.ts';

/** A key that an address showed to have: by itself where it is known, else by a signature of the wallet. */
export interface ProvenKey extends Proof {
  /** Hex. */
  publicKey: string | null;
}

const ASKED_AT_ONCE = 5_000;

interface KnownKeyRow extends Row {
  key: string;
  key_id: string;
  public_key: string | null;
  tx_hash: string | null;
  at: number | null;
}

/** Keeps the key of an address and joins the addresses of the graph that it holds; the earliest proof of each key counts. */
export async function keepKey(tx: GraphTransaction, owner: ChainAddress, proven: ProvenKey): Promise<void> {
  const read = async (publicKey: string | null) => {
    const addresses = addressesBy(owner, publicKey);
    const key = [...new Set(addresses.map(knownAs))];
    return { addresses, key, rows: await tx.run<KnownKeyRow>('entities/known-keys', { key }) };
  };
  let known = await read(proven.publicKey);
  const publicKey = proven.publicKey ?? known.rows.find((row) => row.public_key !== null)?.public_key ?? null;
  if (publicKey !== proven.publicKey) known = await read(publicKey);
  const { addresses, key, rows } = known;
  const { txHash, at } = rows.reduce<Proof>(
    (best, row) => earlierProof(best, { txHash: row.tx_hash, at: row.at }),
    proven,
  );
  const isStored = (row: KnownKeyRow) => row.public_key === publicKey && row.tx_hash === txHash && row.at === at;
  if (rows.length === key.length && rows.every(isStored)) return;
  const keyId = knownAs(addresses.find(({ chain }) => isEvmChain(chain)) ?? addresses[0]!);
  await tx.run('entities/keep-key', { key, key_id: keyId, public_key: publicKey, tx_hash: txHash, at });
  await settle(tx, [{ basis: 'same_key', keyId, txHash, at, members: addresses.map(keyOf) }]);
}

/** The other addresses that the known keys of these hold, by graph key; one without any has no entry. */
export async function addressesOfSameKey(
  graph: Graph,
  owners: readonly ChainAddress[],
): Promise<Map<string, ChainAddress[]>> {
  const known = new Map<string, KnownKeyRow>();
  for (const key of slicesOf([...new Set(owners.map(knownAs))], ASKED_AT_ONCE)) {
    for (const row of await graph.read<KnownKeyRow>('entities/known-keys', { key })) known.set(row.key, row);
  }
  return new Map(
    owners.flatMap((owner): [string, ChainAddress[]][] => {
      const row = known.get(knownAs(owner));
      return row
        ? [[keyOf(owner), addressesBy(owner, row.public_key).filter((one) => keyOf(one) !== keyOf(owner))]]
        : [];
    }),
  );
}

/** Returns which known keys hold addresses that the graph did not hold until now. */
export async function keysOfNew(tx: GraphTransaction, addresses: readonly ChainAddress[]): Promise<Evidence[]> {
  if (addresses.length === 0) return [];
  const owners = new Map(addresses.map((one) => [knownAs(one), one]));
  const rows = await tx.run<KnownKeyRow>('entities/known-keys', { key: [...owners.keys()] });
  return rows.map(({ key, key_id, public_key, tx_hash, at }) => ({
    basis: 'same_key',
    keyId: key_id,
    txHash: tx_hash,
    at,
    members: addressesBy(owners.get(key)!, public_key).map(keyOf),
  }));
}

function addressesBy({ chain, address }: ChainAddress, publicKey: string | null): ChainAddress[] {
  return publicKey === null ? addressesOfWallet(chain, address) : addressesOfKey(Buffer.from(publicKey, 'hex'));
}

function keyOf({ chain, address }: ChainAddress): string {
  return addressKey(chain, address);
}

/** An EVM address once for all its chains. */
function knownAs({ chain, address }: ChainAddress): string {
  return isEvmChain(chain) ? `evm:${address}` : addressKey(chain, address);
}
