import { chainName } from '../../../src/domain/chain.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import type { ActivityAnswer } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** Links to the scan of an address on the chains on which it is in use, for one that was not found. */
export function OtherChains({ address }: { address: string }) {
  const { answer } = useAnswer(
    (signal) => call<ActivityAnswer>(apiPath`/graph/activity/${address}`, { signal }),
    [address],
  );
  if (!answer || answer.active_on.length === 0) return null;
  return (
    <p class="note">
      {words().scan.activeOn}{' '}
      {answer.active_on.map((chain, place) => (
        <span key={chain}>
          {place > 0 && ', '}
          <a href={linkTo('scan', [chain, address])}>{chainName(chain)}</a>
        </span>
      ))}
    </p>
  );
}
