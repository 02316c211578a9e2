import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { assetText, momentText } from '../../browser/figures.ts';
import { comma, labelled, words } from '../../browser/words.ts';
import { call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { CopyText } from '../address-text.tsx';
import { Field } from '../field.tsx';
import { ErrorNote } from '../notes.tsx';

interface MatchSide {
  chain: string | null;
  address: string | null;
}

/** A crossing with its two sides. */
interface DecidedCrossing {
  crossing_id: string;
  match: 'id' | 'likely' | 'confirmed' | null;
  source: MatchSide;
  destination: MatchSide & Record<'tx_hash' | 'asset' | 'amount' | 'at', string | null>;
}
type Decision = 'confirmed' | 'rejected' | 'withdrawn';

/** Confirms or rejects the likely other side of a bridge with a reason, or changes that; nothing for other crossings. */
export function DecideMatch({ bridge }: { bridge: DecidedCrossing }) {
  const texts = words().bridgeMatches;
  const { match, source, destination, crossing_id } = bridge;
  const [reason, setReason] = useState('');
  const [decided, setDecided] = useState<Decision | null>(null);
  const deciding = useAction(async (decision: Decision) => {
    const { chain, address } = source.address === null ? destination : source;
    const body = { address, chain, crossing_id, tx_hash: destination.tx_hash, decision, reason: reason.trim() };
    await call('/graph/bridge-matches', { method: 'PUT', body });
    setDecided(decision);
  });
  if ((match !== 'likely' && match !== 'confirmed') || destination.tx_hash === null) return null;
  const isDecided = decided === null ? match === 'confirmed' : decided !== 'withdrawn';
  const choices: Decision[] = isDecided ? ['withdrawn'] : ['confirmed', 'rejected'];
  return (
    <details>
      <summary>{isDecided ? texts.change : texts.decide}</summary>
      <p>
        {labelled(
          texts.arrival,
          [
            assetText(`${destination.amount} ${destination.asset}`),
            momentText(destination.at),
            destination.chain && chainName(destination.chain),
          ].join(comma()),
        )}{' '}
        <CopyText text={destination.tx_hash} />
      </p>
      <Field label={texts.reason}>
        <textarea rows={2} maxLength={5_000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </Field>
      <div class="row">
        {choices.map((decision) => (
          <button
            key={decision}
            type="button"
            disabled={deciding.busy || reason.trim() === ''}
            onClick={() => deciding.run(decision)}
          >
            {texts[decision]}
          </button>
        ))}
      </div>
      <ErrorNote error={deciding.error} />
      {decided && <p role="status">{texts.done[decided]}</p>}
    </details>
  );
}
