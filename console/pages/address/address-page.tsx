import { chainName, isChain } from '../../../src/domain/chain.ts';
import type { Route } from '../../browser/route.ts';
import { language, words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { Scan } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { AddressProfile } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { Detections } from '../scan/detections.tsx';
import { AddressHeader } from './address-header.tsx';
import { ProfileFacts } from './facts/profile-facts.tsx';

/** `#/address/<chain>/<address>`: what is known of an address. Opening it costs nothing. */
export function AddressPage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  if (!isChain(chain) || address === '') return <p class="note">{words().canvas.unknownChain}</p>;
  return <KnownAddress key={`${chain} ${address}`} chain={chain} address={address} />;
}

function KnownAddress({ chain, address }: { chain: string; address: string }) {
  const lang = language.value;
  const { answer, error } = useAnswer((signal) => newestScan({ chain, address, lang }, signal), [chain, address, lang]);
  return (
    <>
      <h1>{words().profile.title(chainName(chain))}</h1>
      <ErrorNote error={error} />
      {!answer && !error && <Loading />}
      {answer && <AddressHeader chain={chain} address={address} scan={answer.scan} />}
      {answer?.scan && answer.scan.detections.length > 0 && (
        <Detections chain={chain} detections={answer.scan.detections} suppressed={[]} />
      )}
      <ProfileFacts chain={chain} address={address} group="address" />
    </>
  );
}

/** The newest scan of the account, by whatever way it came, in the reader's language; null without one. */
async function newestScan(
  { chain, address, lang }: { chain: string; address: string; lang: string },
  signal: AbortSignal,
): Promise<{ scan: Scan | null }> {
  const profile = apiPath`/graph/profile/${address}`;
  const { last_scan_id: id } = await call<AddressProfile>(profile, { query: { chain }, signal });
  return { scan: id === null ? null : await call<Scan>(apiPath`/public/scans/${id}`, { query: { lang }, signal }) };
}
