import { farChainName } from '../../../src/domain/bridges/far-chains.ts';
import { protocolName } from '../../../src/domain/bridges/protocols.ts';
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
            [
              protocolName(bridge.protocol),
              far && `${direction === 'sent' ? '→' : '←'} ${farName(bridge.protocol, far)}`,
            ]
              .filter(Boolean)
              .join(' '),
          )}
        </span>
      )}
      {bridge && <DecideMatch bridge={bridge} />}
    </>
  );
}

/** Many chains that are not supported have a name; of the others the number alone is known. */
function farName(protocol: string, chain: string): string {
  return farChainName(protocol, chain) ?? words().parts.chainNumber(chain);
}
