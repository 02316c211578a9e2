import { SourceError } from '../../errors.ts';
import { readTronAddress } from './address.ts';
import type { ListedEvent, TransactionInfo } from './shapes.ts';
import type { TokenEvent, TronFrame } from './transfers.ts';

const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Tether's contract takes what a frozen address holds, and logs no transfer of it. */
export const DESTROYED_EVENT = 'DestroyedBlackFunds';
const DESTROYED_TOPIC = '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6';
/** Where tokens go that are destroyed. */
const NO_ONE = readTronAddress('0'.repeat(40))!;

/** Transfer events among the logs of a transaction; the number of topics distinguishes a token from a collectible. */
export function logEvents(log: TransactionInfo['log'], frame: TronFrame): TokenEvent[] {
  return log.flatMap(({ address: token, topics, data }) => {
    const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
    if (topics[0]?.toLowerCase() === DESTROYED_TOPIC && words.length === 2) {
      const from = readTronAddress(words[0]!.slice(24));
      return from ? [{ token, from, to: NO_ONE, value: BigInt(`0x${words[1]}`), frame }] : [];
    }
    if (topics[0]?.toLowerCase() !== TRANSFER_TOPIC) return [];
    const shape = `${topics.length}/${data.length / 64}`;
    // Fungible; collectible; fungible of old contracts, which indexed nothing.
    if (shape !== '3/1' && shape !== '4/0' && shape !== '1/3') return [];
    const [from, to] = words.slice(0, 2).map((word) => readTronAddress(word.slice(24)));
    return from && to ? [{ token, from, to, value: BigInt(`0x${words[2]}`), frame, nft: shape === '4/0' }] : [];
  });
}

/** A decoded event of TronGrid: arguments by place and by name, addresses as 0x-hex. */
export function listedTokenEvent(event: ListedEvent): TokenEvent {
  const { result } = event;
  const nft = Object.keys(result).some((name) => /token_?id$/i.test(name));
  const [from, to, value] = [
    readTronAddress(result[0] ?? result.from ?? result._from ?? result.src ?? ''),
    readTronAddress(result[1] ?? result.to ?? result._to ?? result.dst ?? ''),
    result[2] ?? result.value ?? result._value ?? result.wad ?? result.tokenId ?? '',
  ];
  if (!from || !to || !/^\d{1,78}$/.test(value)) throw new SourceError('tron', 'events: a Transfer of another shape');
  return { token: event.contract_address, from, to, value: BigInt(value), frame: frameOfEvent(event), nft };
}

/** Reads a decoded event of what an issuer destroyed; null for every other. */
export function listedDestruction(event: ListedEvent): TokenEvent | null {
  const { event_name, result, contract_address: token } = event;
  const from = readTronAddress(result[0] ?? result._blackListedUser ?? '');
  const value = result[1] ?? result._balance ?? '';
  if (event_name !== DESTROYED_EVENT || !from || !/^\d{1,78}$/.test(value)) return null;
  return { token, from, to: NO_ONE, value: BigInt(value), frame: frameOfEvent(event) };
}

function frameOfEvent({ transaction_id, block_number, block_timestamp }: ListedEvent): TronFrame {
  return {
    txHash: transaction_id,
    block: block_number,
    at: block_timestamp,
    failed: false,
    txSender: null,
    method: null,
    asked: null,
    fee: null,
  };
}
