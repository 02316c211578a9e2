import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Workspace } from './workspace.tsx';

/**
 * `#/investigate` is an empty canvas, `#/investigate/<chain>/<address>` begins at the address, `#/investigate/transaction/<chain>:<hash>`
 * at a transaction, `#/investigate/entity/<id>` at a holder as one card, `#/investigate/board/<id>` opens a saved one.
 */
export function InvestigatePage({ route }: { route: Route }) {
  const [first = '', second = ''] = route.parts;
  return (
    <div class="wide full">
      <h1 class="visually-hidden">{words().investigate.title}</h1>
      <Workspace key={`${first}/${second}`} first={first} second={second} />
    </div>
  );
}
