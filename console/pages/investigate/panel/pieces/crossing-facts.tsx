import { protocolName } from '../../../../../src/domain/bridges/protocols.ts';
import type { SceneFlow } from '../../../../../src/domain/scene/scene.ts';
import { words } from '../../../../browser/words.ts';
import { CopyText } from '../../../../parts/address-text.tsx';
import { ExplorerLink } from '../../../../parts/explorer-link.tsx';
import { MomentText } from '../../../../parts/moment-text.tsx';
import { placeOf } from '../../../../scene/additions.ts';

/** The statements of both chains and of the protocol about a crossing. */
export function CrossingFacts({ flow: { bridge, tx_hash, from } }: { flow: SceneFlow }) {
  const texts = words().investigate;
  if (!bridge) return null;
  const { arrival, protocol, message_id, match, ambiguous } = bridge;
  return (
    <>
      <dt>{texts.departureTx}</dt>
      <dd>
        <CopyText text={tx_hash} /> <ExplorerLink chain={placeOf(from).chain} hash={tx_hash} />
      </dd>
      <dt>{texts.arrivalTx}</dt>
      <dd>
        {arrival.tx_hash === null ? (
          '–'
        ) : (
          <>
            <CopyText text={arrival.tx_hash} /> <ExplorerLink chain={arrival.chain} hash={arrival.tx_hash} />
          </>
        )}
      </dd>
      <dt>{texts.arrivedAt}</dt>
      <dd>
        <MomentText at={arrival.at} />
      </dd>
      <dt>{texts.bridge}</dt>
      <dd>{protocolName(protocol)}</dd>
      <dt>{texts.message}</dt>
      <dd>{message_id === null ? '–' : <CopyText text={message_id} />}</dd>
      <dt>{texts.match}</dt>
      <dd>{match === null ? '–' : texts.matches[match]}</dd>
      {ambiguous && (
        <>
          <dt>{texts.ambiguous}</dt>
          <dd>{texts.ambiguousNote}</dd>
        </>
      )}
    </>
  );
}
