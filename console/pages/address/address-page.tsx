import { chainName, isChain } from '../../../src/domain/chain.ts';
import type { Route } from '../../browser/route.ts';
import { language, words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { Scan, Scans } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { AddressProfile } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Detections } from '../scan/detections.tsx';
import { AddressHeader } from './address-header.tsx';
import { ProfileFacts, useProfile } from './facts/profile-facts.tsx';

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
  return (
    <>
      <h1>{words().profile.title(chainName(chain))}</h1>
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
