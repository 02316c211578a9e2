import type { Scene, SceneFlow, SceneTransfer } from '../../src/domain/scene/scene.ts';
import type { Shown } from '../../src/domain/scene/shown.ts';
import { csvText } from '../browser/csv.ts';
import { placeOf } from '../scene/additions.ts';

/** The flows of the picture as it is filtered, one a row, each with its evidence. */
export function flowsCsv({ nodes }: Scene, { edges }: Shown): Blob {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const rows = edges.flatMap((edge) =>
    edge.flows.map((flow) => {
      const [from, to] = [byKey.get(flow.from), byKey.get(flow.to)];
      const isAlone = edge.flows.length === 1;
      return {
        from_chain: from?.chain,
        from: from?.address,
        from_label: from?.label ?? '',
        to_chain: to?.chain,
        to: to?.address,
        to_label: to?.label ?? '',
        to_category: to?.category ?? '',
        usd: (isAlone ? edge.usd : flow.usd) ?? '',
        assets: Object.entries((isAlone ? edge.assets : flow.assets) ?? {})
          .map(([asset, amount]) => `${amount} ${asset}`)
          .join('; '),
        share: flow.share ?? '',
        transfers: isAlone ? edge.count : flow.tx_count,
        first_at: flow.first_at,
        last_at: flow.last_at,
        tx_hash: flow.tx_hash,
        bridge: flow.bridge?.protocol ?? '',
        bridge_message_id: flow.bridge?.message_id ?? '',
        bridge_match: flow.bridge?.match ?? '',
        arrival_tx_hash: flow.bridge?.arrival.tx_hash ?? '',
        arrived_at: flow.bridge?.arrival.at ?? '',
        part: flow.part ?? '',
      };
    }),
  );
  return csvOf(rows);
}

/** Transactions, one a row. */
export function transfersCsv(rows: readonly (SceneTransfer & { flow: SceneFlow })[]): Blob {
  return csvOf(
    rows.map(({ flow, at, asset, amount, usd, tx_hash, destination_tag, source_tag }) => ({
      from_chain: placeOf(flow.from).chain,
      from: placeOf(flow.from).address,
      to_chain: placeOf(flow.to).chain,
      to: placeOf(flow.to).address,
      at,
      asset,
      amount,
      usd: usd ?? '',
      tx_hash,
      destination_tag: destination_tag ?? '',
      source_tag: source_tag ?? '',
    })),
  );
}

function csvOf(rows: object[]): Blob {
  return new Blob([csvText(rows)], { type: 'text/csv' });
}
