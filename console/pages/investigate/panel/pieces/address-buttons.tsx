import { chainName } from '../../../../../src/domain/chain.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { shownIds } from '../../../../../src/domain/scene/shown.ts';
import { addressName } from '../../../../canvas/elements.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { CategoryBadge } from '../../../../parts/category-badge.tsx';

/** Addresses by name; each button chooses its own on the canvas. */
export function AddressButtons({ desk, nodes }: { desk: Desk; nodes: readonly SceneNode[] }) {
  return (
    <ul class="address-buttons">
      {nodes.map((node) => (
        <li key={node.key}>
          <AddressButton desk={desk} node={node} /> <span class="muted">{chainName(node.chain)}</span>{' '}
          <CategoryBadge category={node.category} />
        </li>
      ))}
    </ul>
  );
}

export function AddressButton({ desk, node }: { desk: Desk; node: Pick<SceneNode, 'key' | 'label' | 'address'> }) {
  const choose = () => {
    const id = shownIds(desk.stage.value.scene).get(node.key);
    if (id !== undefined) desk.chosen.value = new Set([id]);
  };
  return (
    <button type="button" class="link" title={node.address} onClick={choose}>
      {addressName(node)}
    </button>
  );
}
