import { useState } from 'preact/hooks';
import { dollars } from '../../../../browser/figures.ts';
import { linkTo } from '../../../../browser/route.ts';
import { words } from '../../../../browser/words.ts';
import type { CanvasSession } from '../../../../canvas-session/canvas-session.ts';
import { drawHolder } from '../../../../canvas-session/holder.ts';
import { ErrorNote, Loading } from '../../../../parts/notes.tsx';
import { OwnLabels } from '../../../../parts/own-labels.tsx';
import { apiPath, call } from '../../../../service/api.ts';
import type { EntityAnswer, EntityOfAnswer } from '../../../../service/tracing-answers.ts';
import { useAnswer } from '../../../../service/use-answer.ts';
import { basisText, WhyTogether } from '../../../address/why-together.tsx';

const MEMBERS_MAX = 100;

interface PlaceProps {
  chain: string;
  address: string;
}

/** Names the holder and why, asked for once it is opened, with a button that draws the holder as one card. */
export function HolderLine({ session, chain, address }: PlaceProps & { session: CanvasSession }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words().profile.holderShort}</summary>
      {open && <Holder session={session} chain={chain} address={address} />}
    </details>
  );
}

function Holder({ session, chain, address }: PlaceProps & { session: CanvasSession }) {
  const texts = words().profile;
  const { answer, error } = useHolder({ chain, address });
  if (error) return <ErrorNote error={error} />;
  if (!answer) return <Loading />;
  const own = <OwnLabels labels={answer.own_labels} />;
  if (!answer.entity || !answer.membership)
    return (
      <>
        {own}
        <p class="note">{texts.noHolder}</p>
      </>
    );
  const { id, name, size, overgrown } = answer.entity;
  return (
    <>
      {own}
      <p>
        {texts.belongsTo} <a href={linkTo('entity', [id])}>{name ?? texts.holderOf(size)}</a>
        <span class="muted"> · {overgrown ? texts.overgrown : basisText(answer.membership)}</span>{' '}
        {!overgrown && (
          <button
            type="button"
            disabled={session.busy.value}
            onClick={() => void session.run((signal) => drawHolder(session, id, signal))}
          >
            {words().canvas.drawHolder(size)}
          </button>
        )}
      </p>
    </>
  );
}

/** The total of a holder, without what it pays itself, and why its addresses are together. */
export function HolderFacts({ chain, address }: PlaceProps) {
  const texts = words().profile;
  const { answer: found } = useHolder({ chain, address });
  const id = found?.entity?.id;
  const { answer, error } = useAnswer<EntityAnswer | null>(
    async (signal) =>
      id === undefined ? null : call(apiPath`/graph/entities/${id}`, { query: { limit: MEMBERS_MAX }, signal }),
    [id],
  );
  if (error) return <ErrorNote error={error} />;
  if (id === undefined) return null;
  if (!answer) return <Loading />;
  return (
    <>
      <dl class="facts">
        <dt>{texts.cameIn}</dt>
        <dd>{dollars(answer.received?.usd)}</dd>
        <dt>{texts.wentOut}</dt>
        <dd>{dollars(answer.sent?.usd)}</dd>
      </dl>
      <p>
        <a href={linkTo('entity', [id])}>{texts.holderOf(answer.size)}</a>
      </p>
      <details>
        <summary>{texts.members}</summary>
        <WhyTogether members={answer.members} />
      </details>
    </>
  );
}

function useHolder({ chain, address }: PlaceProps) {
  return useAnswer<EntityOfAnswer>(
    (signal) => call(apiPath`/graph/entity-of/${address}`, { query: { chain }, signal }),
    [chain, address],
  );
}
