import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { argumentTypes, readArguments } from '../../../domain/calldata/abi.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arrivingBy, leaving, rawOf } from '../decoding/moved.ts';
import { endOn } from '../decoding/route.ts';
import { nowhere, type ProtocolReader } from './port.ts';

const protocol = 'polygon_native';
const SYNCED = eventOf('StateSynced(uint256 indexed id, address indexed contractAddress, bytes data)');
const COMMITTED = eventOf('StateCommitted(uint256 indexed stateId, bool success)');
/** keccak of `DEPOSIT`. */
const DEPOSIT = '87a7811f4bfedea3d341ad165680ae306b01aaeacc205d227629cf157dd9f821';
/** How the bridge writes the coin of Ethereum. */
const ETHER = `0x${'e'.repeat(40)}`;
const ROUTE = { from: endOn(protocol, 'ethereum'), to: endOn(protocol, 'polygon') };

/** Deposits into Polygon's proof-of-stake bridge, by the number of the state that Ethereum sends. Exits have no id. */
export const polygonNative: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'state_sender', SYNCED).flatMap((one) => synced(facts, one)),
    ...bridgeEvents(facts, protocol, 'state_receiver', COMMITTED).flatMap((one) => committed(facts, one)),
  ],
  lookUp({ side, id }, registry) {
    const chain = side === 'source' ? 'polygon' : 'ethereum';
    const contract = contractOf(registry, protocol, chain, side === 'source' ? 'state_receiver' : 'state_sender');
    if (contract === null) return nowhere(chain);
    const event = side === 'source' ? COMMITTED : SYNCED;
    return [{ by: 'logs', chain, contract, events: [event.topic], topics: [topicOf(BigInt(id!))] }];
  },
};

function synced(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const target = contractOf(facts.registry, protocol, 'polygon', 'child_manager');
  const deposit = values.contractAddress === target ? depositOf(values.data as string) : null;
  if (!deposit) return [];
  const { recipient, token, raw } = deposit;
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.id),
      route: ROUTE,
      sender: facts.evidence.call?.from ?? null,
      recipient,
      agreed: { amount: String(raw) },
    },
    leaving(facts, { token: token === ETHER ? null : token, raw, position: log.index }),
  );
}

/** Kind, then user, token and amount, each packed into bytes. Null for other messages and collectibles. */
function depositOf(data: string): { recipient: string; token: string; raw: bigint } | null {
  const outer = readArguments(argumentTypes('(bytes32,bytes)'), data, { items: 10 });
  const [kind, body] = outer.values as [string, string];
  if (outer.faults.length > 0 || kind !== DEPOSIT) return null;
  const inner = readArguments(argumentTypes('(address,address,bytes)'), body, { items: 10 });
  const [recipient, token, amount] = inner.values as [string, string, string];
  if (inner.faults.length > 0 || amount.length !== 64) return null;
  return { recipient, token, raw: BigInt(`0x${amount}`) };
}

/** The log says that the state was taken; what it minted stands in the logs before, after those of the state before. */
function committed(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  if (values.success !== true) return [];
  const all = bridgeEvents(facts, protocol, 'state_receiver', COMMITTED);
  const earlier = all.findLast((one) => one.log.index < log.index)?.log.index ?? -1;
  const isMint = (one: Transfer) => {
    const place = Number(/^log:(\d+)/.exec(one.index ?? '')?.[1] ?? -1);
    return isNullAddress(`${facts.chain}:${one.from}`) && place > earlier && place < log.index;
  };
  const mints = facts.evidence.transaction.transfers.filter(isMint);
  const [mint] = mints;
  if (mints.length !== 1 || !mint) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.stateId),
      route: ROUTE,
      sender: null,
      recipient: mint.to,
      agreed: { amount: mint.amountRaw ?? '' },
    },
    arrivingBy(facts, log.index, mint.to, (one) => one.id === mint.id && rawOf(one) > 0n),
  );
}
