import { parseAddressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { type Category, LAWFUL_SERVICE_CATEGORIES, serviceKey, serviceName } from '../../domain/label.ts';
import { isoOrNull } from '../../domain/time.ts';
import type { Graph, Row } from '../../graph/port.ts';

/** With more transfers an address is not one customer's. */
const TRANSFERS_MAX = 1_000;
const PAYERS_MIN = 2;

/**
 * One transfer of an address, and who is at its other end.
 *
 * @internal Read by a test.
 */
export interface ForwardRow extends Row {
  direction: 'sent' | 'received';
  far: string;
  category: Category | null;
  label: string | null;
  /** Null for the chain's own coin. */
  token: string | null;
  /** The address that paid the fee; null where it is not known. */
  signer: string | null;
  tx_hash: string;
  at: number;
}

/** A deposit address of a service. */
interface Deposit {
  basis: 'deposit';
  service: string;
  category: Category;
  /** The wallet of the service that got the first payment. */
  address: string;
  chain: Chain;
  tx_hash: string;
  at: string | null;
  /** Addresses that paid in. */
  payers: number;
}

/**
 * Returns the service whose deposit address this (key) is; null without one. All that leaves goes to one service that sure labels name,
 * two addresses or more pay in, and the service's own wallets pay the gas. Nothing follows from it: a thief's last wallet looks
 * alike but for the gas.
 */
export async function depositOf(graph: Graph, key: string, timeoutMs: number): Promise<Deposit | null> {
  const asked = { key, limit: TRANSFERS_MAX + 1 };
  const rows = await graph.read<ForwardRow>('entities/forwards', asked, { timeoutMs });
  return rows.length > TRANSFERS_MAX ? null : depositIn(rows, parseAddressKey(key).address);
}

/**
 * The same, from what the address received and sent, oldest first.
 *
 * @internal Read by a test.
 */
export function depositIn(rows: readonly ForwardRow[], own: string): Deposit | null {
  const sent = rows.filter(({ direction }) => direction === 'sent');
  const [first] = sent;
  const service = first && serviceOf(first);
  if (!service) return null;
  const isOfService = (row: ForwardRow) => serviceKey(serviceOf(row) ?? '') === serviceKey(service);
  if (!sent.every(isOfService)) return null;
  const received = rows.filter(({ direction }) => direction === 'received');
  const wallets = new Set(rows.flatMap((row) => (isOfService(row) ? [parseAddressKey(row.far).address] : [])));
  const gas = received.filter(({ token }) => token === null);
  const isGiven = gas.length > 0 && gas.every(isOfService);
  const isPaidByService = ({ signer }: ForwardRow) =>
    signer !== null && (signer === own ? isGiven : wallets.has(signer));
  const payers = new Set(received.flatMap((row) => (isOfService(row) ? [] : [row.far])));
  if (!sent.every(isPaidByService) || payers.size < PAYERS_MIN) return null;
  const to = parseAddressKey(first.far);
  return {
    ...{ basis: 'deposit', service, category: first.category!, address: to.address, chain: to.chain },
    ...{ tx_hash: first.tx_hash, at: isoOrNull(first.at), payers: payers.size },
  };
}

/** The lawful service that a label names, as far as it is sure: on a node the category of one always is. */
function serviceOf({ category, label }: ForwardRow): string | null {
  return category !== null && LAWFUL_SERVICE_CATEGORIES.includes(category) ? serviceName(label) : null;
}
