import type { World } from '../../fixtures/demo/world.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Context } from '../../src/context.ts';
import { alertListedParties } from '../../src/questions/transfers/watch-transfers.ts';
import { putLabels } from '../labels/label-of.ts';

/** Two payments of the demo world, as the exchange of the examples sees them: a saver's, and one out of a laundering. */
export function deposits(world: World) {
  const sentBy = (from: string) => {
    const { txHash, to: address } = world.moves.ethereum.find(
      (move) => move.from === from && move.to !== from && !move.failed && Number(move.amount) > 0,
    )!;
    return { txHash, address, from };
  };
  return {
    harmless: sentBy(roleOf(world, 'ethereum', 'clean_saver').address),
    tainted: sentBy(roleOf(world, 'ethereum', 'laundering', 'layer_4').address),
  };
}

/** A list names the sender later, and the work of each minute finds it. */
export async function listSender(ctx: Context, address: string): Promise<void> {
  const label = {
    chain: 'ethereum' as const,
    address,
    category: 'sanctioned' as const,
    label: 'Listed',
    source: 'late',
  };
  const rest = { confidence: 100, entity: null, validFrom: null, validTo: null, maliciousContract: false };
  await putLabels(ctx.labels, [{ ...label, ...rest }]);
  await alertListedParties(ctx);
}
