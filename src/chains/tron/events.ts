import { SourceError } from '../../errors.ts';
import { readTronAddress } from './address.ts';
import type { ListedEvent, TransactionInfo } from './shapes.ts';
import type { TokenEvent, TronFrame } from './transfers.ts';

const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Transfer events among the logs of a transaction; the number of topics distinguishes a token from a collectible. */
export function logEvents(log: TransactionInfo['log'], frame: TronFrame): TokenEvent[] {
  return log.flatMap(({ address: token, topics, data }) => {
    if (topics[0]?.toLowerCase() !== TRANSFER_TOPIC) return [];
    const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
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
  const frame: TronFrame = {
    txHash: event.transaction_id,
    block: event.block_number,
    at: event.block_timestamp,
    failed: false,
    txSender: null,
    method: null,
    asked: null,
    fee: null,
  };
  return { token: event.contract_address, from, to, value: BigInt(value), frame, nft };
}
