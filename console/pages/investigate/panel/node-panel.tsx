import { chainName } from '../../../../src/domain/chain.ts';
import type { SceneNode } from '../../../../src/domain/scene/scene.ts';
import { dollars } from '../../../browser/figures.ts';
import { goTo, linkTo } from '../../../browser/route.ts';
import { language, words } from '../../../browser/words.ts';
import { drawCounterparties, drawFunds, readAddress } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { OnDemand } from '../../../parts/on-demand.tsx';
import { WatchButton } from '../../../parts/watch-button.tsx';
import { distancesFrom } from '../../../scene/arrange.ts';
import { type SideSum, sumsOfNode } from '../../../scene/node-sums.ts';
import { Activity } from '../../address/facts/activity.tsx';
import { ExposureBars } from '../../address/facts/exposure-bars.tsx';
import { useExposure, useProfile } from '../../address/facts/profile-facts.tsx';
import { HubTable } from './hub-table.tsx';
import { PairPanel } from './pair-panel.tsx';
import { PartiesPanel } from './parties-panel.tsx';
import { AddToCase } from './pieces/add-to-case.tsx';
import { ColourChoice } from './pieces/colour-choice.tsx';
import { HolderLine } from './pieces/holder-facts.tsx';
import { NoteField } from './pieces/note-field.tsx';
import { TracePanel } from './trace-panel.tsx';

/** A chosen address: what is known of it, and what can be asked. */
export function NodePanel({ session, node }: { session: CanvasSession; node: SceneNode }) {
  const texts = words().canvas;
  const scene = session.picture.value;
  const { subject } = scene;
  const busy = session.busy.value;
  const { into, out } = sumsOfNode(scene, node.key);
  const both: [name: string, sum: SideSum][] = [
    [texts.drawnIn, into],
    [texts.drawnOut, out],
  ];
  // Of an address that was not read, nothing drawn is not nothing.
  const sides = both.filter(([, sum]) => node.read === true || sum.drawn.count > 0 || sum.hiddenUsd > 0);
  return (
    <section aria-labelledby="chosen">
      <h2 id="chosen">{node.label ?? texts.address}</h2>
      <p>
        <CopyText text={node.address} link={linkTo('address', [node.chain, node.address])} whole />
      </p>
      <p>
        {chainName(node.chain)} <CategoryBadge category={node.category} /> {node.entity}
      </p>
      <HolderLine session={session} chain={node.chain} address={node.address} />
      <dl class="facts">
        {sides.map(([name, sum]) => [
          <dt key={`${name} name`}>{name}</dt>,
          <dd key={name}>
            <SideText sum={sum} />
          </dd>,
        ])}
      </dl>
      {node.read === false && <p class="note">{words().investigate.unread}</p>}
      {node.partly && <p class="note">{words().investigate.partlyRead}</p>}
      <div class="row">
        <button type="button" class="primary" disabled={busy} onClick={() => ask('sent')}>
          {texts.actions.followSent}
        </button>
        <button type="button" disabled={busy} onClick={() => ask('received')}>
          {texts.actions.followReceived}
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => session.run((signal) => drawCounterparties(session, node, signal))}
        >
          {texts.actions.expand}
        </button>
        {node.key !== subject && (
          <button type="button" onClick={() => goTo(linkTo('investigate', [node.chain, node.address]))}>
            {words().investigate.startHere}
          </button>
        )}
      </div>
      {(node.read !== true || node.partly) && (
        <SpendButton
          label={node.partly ? texts.readAll : texts.read}
          scans={1}
          disabled={busy}
          onSpend={() => session.run((signal) => readAddress(session, node, signal))}
        />
      )}
      <NoteField session={session} keys={[node.key]} note={node.note} />
      <ColourChoice session={session} keys={[node.key]} colour={node.colour} />
      <AddToCase nodes={[node]} hops={subject === null ? new Map() : distancesFrom(subject, scene.flows)} />
      <WatchButton chain={node.chain} address={node.address} label={node.label} />
      <OnDemand summary={texts.charts} content={() => <NodeCharts chain={node.chain} address={node.address} />} />
      <OnDemand summary={texts.hub.title} content={() => <HubTable session={session} hub={node} />} />
      <TracePanel session={session} node={node} />
      <PartiesPanel session={session} node={node} />
      <PairPanel session={session} from={node} />
    </section>
  );

  function ask(direction: 'sent' | 'received') {
    void session
      .run((signal) => drawFunds(session, { key: node.key, direction }, signal))
      .then(() => {
        // The account takes the place of the address, unless it was refused.
        if (!session.error.value) session.chosen.value = new Set();
      });
  }
}

/** A sum as it is drawn, and what hidden addresses take from it. */
function SideText({ sum: { drawn, hiddenUsd } }: { sum: SideSum }) {
  return (
    <>
      {drawn.isAtMost && '≤ '}
      {dollars(drawn.count === 0 ? 0 : drawn.usd)}
      {hiddenUsd > 0 && <span class="muted"> {words().canvas.withoutHidden(dollars(hiddenUsd))}</span>}
    </>
  );
}

interface NodeChartsProps {
  chain: string;
  address: string;
}

/** Draws money by month and exposure by category, as the page of the address does. Costs nothing. */
function NodeCharts({ chain, address }: NodeChartsProps) {
  const place = { chain, address, group: 'address' } as const;
  const profile = useProfile(place);
  const exposure = useExposure({ ...place, lang: language.value });
  return (
    <>
      <h3>{words().profile.activity}</h3>
      <ErrorNote error={profile.error} />
      {profile.loading && <Loading />}
      {profile.answer && <Activity months={profile.answer.months} truncated={profile.answer.months_truncated} />}
      <h3>{words().investigate.exposure}</h3>
      <ErrorNote error={exposure.error} />
      {exposure.loading && <Loading />}
      {exposure.answer && <ExposureBars exposure={exposure.answer} />}
    </>
  );
}
