import { chainName } from '../../../../../src/domain/chain.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { shownIds } from '../../../../../src/domain/scene/shown.ts';
import { addressName } from '../../../../canvas/elements.ts';
import type { CanvasSession } from '../../../../canvas-session/canvas-session.ts';
import { CategoryBadge } from '../../../../parts/category-badge.tsx';

/** Addresses by name; each button chooses its own on the canvas. */
export function AddressButtons({ session, nodes }: { session: CanvasSession; nodes: readonly SceneNode[] }) {
  return (
    <ul class="address-buttons">
      {nodes.map((node) => (
        <li key={node.key}>
          <AddressButton session={session} node={node} /> <span class="muted">{chainName(node.chain)}</span>{' '}
          <CategoryBadge category={node.category} />
        </li>
      ))}
    </ul>
  );
}

export function AddressButton({
  session,
  node,
}: {
  session: CanvasSession;
  node: Pick<SceneNode, 'key' | 'label' | 'address'>;
}) {
  const choose = () => {
    const id = shownIds(session.stage.value.scene).get(node.key);
    if (id !== undefined) session.chosen.value = new Set([id]);
  };
  return (
    <button type="button" class="link" title={node.address} onClick={choose}>
      {addressName(node)}
    </button>
  );
}
