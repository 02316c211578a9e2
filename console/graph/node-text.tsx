import { AddressText } from '../parts/address-text.tsx';
import type { GraphNode } from './money-graph.ts';

/** A node of the canvas in a list: its address on its chain. */
export function NodeText({ node }: { node: GraphNode | undefined }) {
  if (!node) return null;
  return (
    <>
      <AddressText chain={node.chain} address={node.address} /> <span class="muted">{node.chain}</span>
    </>
  );
}
