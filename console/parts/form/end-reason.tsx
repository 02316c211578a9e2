import { protocolName } from '../../../src/domain/bridges/protocol-names.ts';
import type { Unread } from '../../service/answers.ts';
import { endReasonTexts } from '../../texts/end-reasons.ts';
import { bracketed } from '../../texts/formats.ts';
import { DecideMatch } from './decide-match.tsx';

/**
 * Why a trace ended, in words; at a bridge with its protocol and the chain on which the money goes on, and with the
 * decision on its other side where that is only likely.
 */
export function EndReason({ end: { reason, direction, bridge } }: { end: Unread }) {
  const texts: Record<string, string> = endReasonTexts();
  const far = bridge && (direction === 'sent' ? bridge.destination : bridge.source).chain;
  return (
    <>
      {texts[reason] ?? reason}
      {bridge && (
        <span class="muted">
          {bracketed(
            '',
            [protocolName(bridge.protocol), far && `${direction === 'sent' ? '→' : '←'} ${far}`]
              .filter(Boolean)
              .join(' '),
          )}
        </span>
      )}
      {bridge && <DecideMatch bridge={bridge} />}
    </>
  );
}
