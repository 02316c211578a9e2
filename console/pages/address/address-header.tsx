import { momentText } from '../../browser/figures.ts';
import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { SpendButton } from '../../parts/form/spend-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import { WatchButton } from '../../parts/watch-button.tsx';
import type { Scan } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { EntityOfAnswer } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { basisText } from './why-together.tsx';

interface AddressHeaderProps {
  chain: string;
  address: string;
  /** The newest of the account; null without one, undefined where it is not known. */
  scan: Scan | null | undefined;
}

/** The level first, then whose address it is, then what can be done with it. */
export function AddressHeader({ chain, address, scan }: AddressHeaderProps) {
  const { profile: texts, scan: scanTexts } = words();
  return (
    <section class="card verdict" aria-label={scanTexts.level}>
      <div class="row center">
        {scan && <span class="score">{scan.risk_score}</span>}
        {scan !== undefined && <LevelBadge level={scan?.risk_level ?? 'UNKNOWN'} />}
        <CopyText text={address} whole />
      </div>
      {scan !== undefined && (
        <p class="muted">{scan ? texts.levelOf(momentText(scan.created_at)) : texts.neverScanned}</p>
      )}
      {scan?.metadata.level_note && <p>{scan.metadata.level_note}</p>}
      <Holder chain={chain} address={address} />
      <div class="row center">
        <a class="button primary" href={linkTo('investigate', [chain, address])}>
          {scanTexts.investigate}
        </a>
        <SpendButton
          label={scan ? texts.scanAgain : scanTexts.scan}
          scans={1}
          onSpend={() => goTo(linkTo('scan', [chain, address]))}
        />
        <WatchButton chain={chain} address={address} label={null} />
        <SaveButton
          label={scanTexts.saveTransfers}
          path="/graph/transfers.csv"
          query={{ address, chain }}
          name="transfers.csv"
        />
      </div>
    </section>
  );
}

/** Names whose address it is: what the account says itself, and the holder, as far as the graph knows, and why. */
function Holder({ chain, address }: { chain: string; address: string }) {
  const texts = words().profile;
  const { answer } = useAnswer<EntityOfAnswer>(
    (signal) => call(apiPath`/graph/entity-of/${address}`, { query: { chain }, signal }),
    [chain, address],
  );
  if (!answer) return null;
  const { entity, membership } = answer;
  return (
    <>
      <OwnLabels labels={answer.own_labels} />
      {entity && membership && (
        <p>
          {texts.belongsTo} <a href={linkTo('entity', [entity.id])}>{entity.name ?? texts.holderOf(entity.size)}</a>
          {entity.name && ` · ${texts.addressCount(entity.size)}`}
          <span class="muted"> · {entity.overgrown ? texts.overgrown : basisText(membership)}</span>
        </p>
      )}
    </>
  );
}
