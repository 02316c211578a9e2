import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { parseAddressKey } from '../../../src/domain/address/address-key.ts';
import { chainName } from '../../../src/domain/chain.ts';
import { assetText, dollars, writtenDay } from '../../browser/figures.ts';
import { linkTo, type Route } from '../../browser/route.ts';
import { bracketed, comma, words } from '../../browser/words.ts';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import type { Scans } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { EntityAnswer } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { ProfileFacts, useProfile } from './facts/profile-facts.tsx';
import { OwnNames } from './own-names.tsx';
import { WhyTogether } from './why-together.tsx';

const PAGE = 50;
const SCANS_MAX = 100;
const GRAVEST_FIRST = ['CRITICAL', 'HIGH', 'MEDIUM', 'UNKNOWN', 'LOW'] as const;

/** `#/entity/<id>`: the holder of several addresses as one party. Opening it costs nothing. */
export function EntityPage({ route }: { route: Route }) {
  const [id = ''] = route.parts;
  return <KnownEntity key={id} id={id} />;
}

function KnownEntity({ id }: { id: string }) {
  const texts = words().profile;
  const [offset, setOffset] = useState(0);
  const { answer, error, reload } = useAnswer<EntityAnswer>(
    (signal) => call(apiPath`/graph/entities/${id}`, { query: { limit: PAGE, offset }, signal }),
    [id, offset],
  );
  if (error) return <ErrorNote error={error} />;
  if (!answer) return <Loading />;
  return (
    <>
      <h1>{answer.name ?? answer.own_labels?.[0]?.label ?? texts.holderOf(answer.size)}</h1>
      <EntityHeader entity={answer} onNamed={reload} />
      {/* The id of a holder is the key of one of its addresses. */}
      {!answer.overgrown && <HolderFacts {...parseAddressKey(answer.id)} />}
      <section class="card" aria-labelledby="members">
        <h2 id="members">{bracketed(texts.members, answer.total)}</h2>
        <p class="muted">{texts.membersNote}</p>
        <WhyTogether members={answer.members} />
        <Pager page={answer} onOffset={setOffset} />
      </section>
    </>
  );
}

function HolderFacts({ chain, address }: { chain: string; address: string }) {
  const known = useProfile({ chain, address, group: 'entity' });
  return <ProfileFacts chain={chain} address={address} group="entity" known={known} />;
}

/** Returns where its money is investigated from: itself as one card; where strangers were joined, its first address alone. */
function beginningOf({ id, overgrown }: EntityAnswer): string[] {
  if (!overgrown) return ['entity', id];
  const { chain, address } = parseAddressKey(id);
  return [chain, address];
}

function EntityHeader({ entity, onNamed }: { entity: EntityAnswer; onNamed: () => void }) {
  const texts = words().profile;
  const { answer: scans } = useAnswer<Scans>(
    (signal) => call('/public/scans', { query: { limit: SCANS_MAX }, signal }),
    [entity.id],
  );
  const members = new Set(entity.members.map(({ chain, address }) => `${chain} ${address}`));
  const scanned = scans?.scans.filter(({ chain, address }) => members.has(`${chain} ${address}`)) ?? [];
  const gravest = GRAVEST_FIRST.find((level) => scanned.some(({ risk_level }) => risk_level === level));
  return (
    <section class="card verdict" aria-label={words().scan.level}>
      <div class="row center">
        <LevelBadge level={gravest ?? 'UNKNOWN'} />
        <CategoryBadge category={entity.category} />
        <span>
          {texts.addressCount(entity.size)} · {entity.chains.map(chainName).join(comma())}
        </span>
      </div>
      <p class="muted">
        {scanned.length > 0 ? texts.gravestOf(new Set(scanned.map(({ address }) => address)).size) : texts.neverScanned}
      </p>
      {entity.overgrown && <p class="note error">{texts.overgrownNote}</p>}
      <dl class="facts">
        <dt>{texts.cameIn}</dt>
        <dd>{dollars(entity.received?.usd)}</dd>
        <dt>{texts.wentOut}</dt>
        <dd>{dollars(entity.sent?.usd)}</dd>
        {entity.balances?.map(({ chain, asset, amount, addresses, last_at }) => (
          <Fragment key={`${chain} ${asset}`}>
            <dt>{texts.holds}</dt>
            <dd>
              {assetText(amount)} {asset}{' '}
              <span class="muted">{texts.statedOf(addresses, entity.size, writtenDay(last_at))}</span>
            </dd>
          </Fragment>
        ))}
        <dt>{texts.seen}</dt>
        <dd>{[entity.first_seen_at, entity.last_seen_at].map((at) => (at ? writtenDay(at) : '–')).join(' – ')}</dd>
        <dt>{texts.weakest}</dt>
        <dd>{texts.bases[entity.basis]}</dd>
      </dl>
      <OwnNames {...parseAddressKey(entity.id)} labels={entity.own_labels} onChanged={onNamed} />
      <div class="row center">
        <a class="button primary" href={linkTo('investigate', beginningOf(entity))}>
          {words().scan.investigate}
        </a>
      </div>
    </section>
  );
}
