import { protocolName } from '../../../src/domain/bridges/protocols.ts';
import { chainName } from '../../../src/domain/chain.ts';
import { lookUp } from '../../../words/look-up.ts';
import { bracketed, words } from '../../browser/words.ts';
import type { Unread } from '../../service/answers.ts';
import { DecideMatch } from './decide-match.tsx';

/**
 * Why a trace ended, in words; at a bridge with its protocol and the chain on which the money goes on, and with the
 * decision on its other side where that is only likely.
 */
export function EndReasonText({
  end: { reason, direction, bridge },
}: {
  end: Pick<Unread, 'reason' | 'direction' | 'bridge'>;
}) {
  const far = bridge && (direction === 'sent' ? bridge.destination : bridge.source).chain;
  return (
    <>
      {lookUp(words().ends, reason)}
      {bridge && (
        <span class="muted">
          {bracketed(
            '',
            [protocolName(bridge.protocol), far && `${direction === 'sent' ? '→' : '←'} ${chainText(far)}`]
              .filter(Boolean)
              .join(' '),
          )}
        </span>
      )}
      {bridge && <DecideMatch bridge={bridge} />}
    </>
  );
}

/** A chain that is not supported is known by its number alone. */
function chainText(chain: string): string {
  return /^\d+$/.test(chain) ? words().parts.chainNumber(chain) : chainName(chain);
}
