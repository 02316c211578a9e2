import type { Chain } from '../../src/domain/chain.ts';
import type { SceneFlow } from '../../src/domain/scene/scene.ts';
import { language } from '../browser/words.ts';
import { type Additions, nodeKey } from '../scene/additions.ts';
import { begun } from '../scene/grow.ts';
import type { ScannedTransaction } from '../service/answers.ts';
import { call } from '../service/api.ts';
import { add, arrange, connect, forgetOpened } from './asks.ts';
import type { Desk } from './desk.ts';

/** Scans both sides of a transaction and draws its payment; the payee is where following the money begins. */
export function drawTransaction(desk: Desk, { chain, hash }: { chain: Chain; hash: string }): Promise<void> {
  return desk.run(async (signal) => {
    const body = { tx_hash: hash, chain, lang: language.value };
    const found = await call<ScannedTransaction>('/scan/tx', { method: 'POST', body, signal });
    forgetOpened(desk);
    const payment = paymentOf(found, chain, hash);
    const start = payment.flows[0]?.to ?? payment.nodes[0]?.key;
    if (start === undefined) return;
    const isFirst = desk.stage.value.scene.nodes.length === 0;
    if (isFirst) desk.learn((scene) => begun(scene, start));
    await add(desk, payment, signal);
    // The graph knows the payment by now, with its value.
    await connect(desk, found.sender ? [{ chain, address: found.sender.address }] : [], signal);
    if (isFirst) await arrange(desk);
    desk.chosen.value = new Set([start]);
  });
}

function paymentOf(
  { sender, receiver, timestamp, participants }: ScannedTransaction,
  chain: Chain,
  hash: string,
): Additions {
  const [from, to] = [sender?.address, receiver?.address];
  const nodes = [from, to].flatMap((address) => (address ? [{ key: nodeKey(chain, address), read: true }] : []));
  if (!from || !to || from === to || timestamp === null) return { nodes, flows: [] };
  const got = participants.find(({ role, address, amount }) => role === 'to' && address === to && amount !== null);
  const [asset, amount] = [got?.asset ?? '', got?.amount ?? '0'];
  const [payer, payee] = [nodeKey(chain, from), nodeKey(chain, to)];
  const flow: SceneFlow = {
    id: `${payer}>${payee}`,
    from: payer,
    to: payee,
    usd: null,
    assets: { [asset]: amount },
    tx_count: 1,
    first_at: timestamp,
    last_at: timestamp,
    tx_hash: hash,
    transfers: [{ tx_hash: hash, at: timestamp, asset, amount, usd: null }],
    share: null,
    bridge: null,
  };
  return { nodes, flows: [flow] };
}
