import { chainName, isChain } from '../../../src/domain/chain.ts';
import { momentText } from '../../browser/figures.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { language, words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { SpendButton } from '../../parts/form/spend-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { WatchButton } from '../../parts/watch-button.tsx';
import type { Scan, Scans } from '../../service/answers.ts';
import { ApiError, apiPath, call } from '../../service/api.ts';
import type { AddressProfile, EntityOfAnswer } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Detections } from '../scan/detections.tsx';
import { ProfileFacts, useProfile } from './facts/profile-facts.tsx';
import { OwnNames } from './own-names.tsx';
import { basisText } from './why-together.tsx';

/** `#/address/<chain>/<address>`: what is known of an address. Opening it costs nothing. */
export function AddressPage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  if (!isChain(chain) || address === '') return <p class="note">{words().canvas.unknownChain}</p>;
  return <KnownAddress key={`${chain} ${address}`} chain={chain} address={address} />;
}

function KnownAddress({ chain, address }: { chain: string; address: string }) {
  const lang = language.value;
  const known = useProfile({ chain, address, group: 'address' });
  const isSettled = known.answer !== null || known.error !== null;
  const { answer, error } = useAnswer(
    async (signal) => (isSettled ? newestScan({ chain, address, lang, profile: known.answer }, signal) : null),
    [chain, address, lang, isSettled, known.answer],
  );
  const title = <h1>{words().profile.title(chainName(chain))}</h1>;
  // Each part of the page would say again that it cannot be an address of the chain.
  if (known.error instanceof ApiError && known.error.status === 400) {
    return (
      <>
        {title}
        <ErrorNote error={known.error} />
      </>
    );
  }
  return (
    <>
      {title}
      <ErrorNote error={error} />
      {!answer && !error && <Loading />}
      {(answer || error) && <AddressHeader chain={chain} address={address} scan={answer?.scan} />}
      {answer?.scan && answer.scan.detections.length > 0 && (
        <Detections chain={chain} detections={answer.scan.detections} suppressed={[]} />
      )}
      <ProfileFacts chain={chain} address={address} group="address" known={known} />
    </>
  );
}

interface ScanOf {
  chain: string;
  address: string;
  lang: string;
  /** Names the newest scan; null where it could not be read, for example without the graph. */
  profile: AddressProfile | null;
}

/**
 * The newest scan of the account, by whatever way it came, in the reader's language; null without one. Without a profile
 * that of the listed scans, and undefined where there is none.
 */
async function newestScan(
  { chain, address, lang, profile }: ScanOf,
  signal: AbortSignal,
): Promise<{ scan: Scan | null | undefined }> {
  const scanOf = (id: string) => call<Scan>(apiPath`/public/scans/${id}`, { query: { lang }, signal });
  if (profile) return { scan: profile.last_scan_id === null ? null : await scanOf(profile.last_scan_id) };
  const { scans } = await call<Scans>('/public/scans', { query: { chain, address, limit: 1 }, signal });
  return { scan: scans[0] && (await scanOf(scans[0].scan_id)) };
}

interface AddressHeaderProps {
  chain: string;
  address: string;
  /** The newest of the account; null without one, undefined where it is not known. */
  scan: Scan | null | undefined;
}

/** The level first, then whose address it is, then what can be done with it. */
function AddressHeader({ chain, address, scan }: AddressHeaderProps) {
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
  const { answer, reload } = useAnswer<EntityOfAnswer>(
    (signal) => call(apiPath`/graph/entity-of/${address}`, { query: { chain }, signal }),
    [chain, address],
  );
  if (!answer) return null;
  const { entity, membership } = answer;
  const name = entity?.name ?? entity?.own_labels?.[0]?.label;
  return (
    <>
      <OwnNames chain={chain} address={address} labels={answer.own_labels} onChanged={reload} />
      {entity && membership && (
        <p>
          {texts.belongsTo} <a href={linkTo('entity', [entity.id])}>{name ?? texts.holderOf(entity.size)}</a>
          {name && ` · ${texts.addressCount(entity.size)}`}
          <span class="muted"> · {entity.overgrown ? texts.overgrown : basisText(membership)}</span>
        </p>
      )}
    </>
  );
}
