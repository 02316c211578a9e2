import { useEffect, useState } from 'preact/hooks';
import { SCENE_NODES_MAX } from '../../../../src/domain/scene/bounds.ts';
import type { SceneAddress } from '../../../../src/domain/scene/scene.ts';
import { count, dollars } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { addressName } from '../../../canvas/elements.ts';
import { counterpartiesOf, drawParties } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import { nodeKey } from '../../../scene/additions.ts';
import type { Scan } from '../../../service/answers.ts';
import type { GraphCounterparties } from '../../../service/tracing-answers.ts';
import { useAnswer } from '../../../service/use-answer.ts';

/** Counterparties of a hub by page, found and sorted; those that are chosen on any page are drawn by themselves. */
export function HubTable({ session, hub }: { session: CanvasSession; hub: SceneAddress }) {
  const texts = words().canvas.hub;
  const parties = useParties(session, hub);
  const { answer, error, loading, chosen, choose, offset } = parties;
  const rows = answer?.counterparties ?? [];
  const free = rows.filter((party) => !parties.isDrawn(party));
  const busy = session.busy.value;
  return (
    <div class="hub">
      <div class="row center">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={parties.typed}
          onInput={(event) => parties.setTyped(event.currentTarget.value)}
        />
        <ChoiceSelect
          aria-label={words().canvas.order}
          value={parties.order}
          choices={texts.orders}
          onChange={parties.setOrder}
        />
      </div>
      <div class="row center">
        <button type="button" class="primary" disabled={busy || chosen.size === 0} onClick={() => void parties.draw()}>
          {words().canvas.drawThese(chosen.size)}
        </button>
        <button type="button" disabled={busy || rows.length === 0} onClick={() => void parties.chooseFound()}>
          {texts.chooseAll(count(answer?.total ?? 0))}
        </button>
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <Table
            caption={texts.title}
            rows={rows}
            keyOf={({ address }) => address}
            empty={words().canvas.noHits}
            columns={[
              {
                title: words().canvas.draw,
                head: (
                  <input
                    type="checkbox"
                    aria-label={texts.choosePage}
                    disabled={free.length === 0}
                    checked={free.length > 0 && free.every(({ address }) => chosen.has(address))}
                    onChange={(event) => choose(free, event.currentTarget.checked)}
                    onKeyDown={walkChoices}
                  />
                ),
                cell: (party) =>
                  parties.isDrawn(party) ? (
                    <span title={words().canvas.onCanvas}>✓</span>
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={party.address}
                      checked={chosen.has(party.address)}
                      onChange={(event) => choose([party], event.currentTarget.checked)}
                      onKeyDown={walkChoices}
                    />
                  ),
              },
              {
                title: words().investigate.address,
                cell: (party) => (
                  <Name party={party} level={session.levels.value.get(nodeKey(hub.chain, party.address))} />
                ),
              },
              { title: texts.in, cell: ({ received }) => received && dollars(received.usd), numeric: true },
              { title: texts.out, cell: ({ sent }) => sent && dollars(sent.usd), numeric: true },
              { title: texts.last, cell: (party) => <MomentText at={lastOf(party)} /> },
            ]}
          />
          <Pager page={{ offset, limit: PAGE, total: answer.total }} onOffset={parties.setOffset} />
        </>
      )}
    </div>
  );
}

/** Names a party, with the level of its newest scan and what a list says of it. */
function Name({
  party: { label, address, category },
  level,
}: {
  party: HubParty;
  level: Scan['risk_level'] | undefined;
}) {
  return (
    <span title={address}>
      {addressName({ label, address })} {level && <LevelBadge level={level} />} <CategoryBadge category={category} />
    </span>
  );
}

function lastOf({ sent, received }: HubParty): string | undefined {
  return [sent?.last_at, received?.last_at].filter(Boolean).sort().at(-1);
}

/** Leads the keyboard from one box of the table to the next. */
function walkChoices(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const box = event.currentTarget as HTMLElement;
  const boxes = [...(box.closest('table')?.querySelectorAll<HTMLElement>('input:enabled') ?? [])];
  boxes[boxes.indexOf(box) + step]?.focus();
  event.preventDefault();
}

type HubParty = GraphCounterparties['counterparties'][number];

const PAGE = 50;
/** Counterparties of one request at most. */
const REQUEST_MAX = 500;
/** Waits until the reader stops typing. */
const PAUSE_MS = 250;

/** Keeps a page of the counterparties of a hub, and those that are chosen on any page. */
function useParties(session: CanvasSession, hub: SceneAddress) {
  const [order, setOrder] = useState('value');
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [chosen, setChosen] = useState<ReadonlyMap<string, HubParty>>(new Map());
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim());
      setOffset(0);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { answer, error, loading } = useAnswer(
    (signal) => counterpartiesOf(hub, signal, { limit: PAGE, offset, order, search }),
    [hub.chain, hub.address, order, search, offset],
  );
  const { nodes } = session.stage.value.scene;
  const drawn = new Set(nodes.filter(({ bundle, hidden }) => bundle === null && !hidden).map(({ key }) => key));
  const isDrawn = ({ address }: HubParty) => drawn.has(nodeKey(hub.chain, address));

  const choose = (parties: readonly HubParty[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Map(before);
      for (const party of parties) {
        if (isChosen && !isDrawn(party)) after.set(party.address, party);
        else after.delete(party.address);
      }
      return after;
    });
  /** Chooses all that are found, as far as a board has room for them; those of a bundle and hidden ones have theirs already. */
  const chooseFound = () =>
    session.run(async (signal) => {
      const keyOf = ({ address }: HubParty) => nodeKey(hub.chain, address);
      const onBoard = new Set(nodes.map(({ key }) => key));
      let room = SCENE_NODES_MAX - nodes.length;
      for (const party of chosen.values()) if (!onBoard.has(keyOf(party))) room -= 1;
      const bundle = nodeKey(hub.chain, hub.address);
      let waiting = nodes.filter((node) => node.hidden || node.bundle === bundle).length;
      const taken: HubParty[] = [];
      let left = 0;
      let total = answer?.total ?? 0;
      let next = 0;
      for (; next < total && (room > 0 || waiting > 0); next += REQUEST_MAX) {
        const page = await counterpartiesOf(hub, signal, { limit: REQUEST_MAX, offset: next, order, search });
        total = page.total;
        for (const party of page.counterparties) {
          if (isDrawn(party) || chosen.has(party.address)) continue;
          const isNew = !onBoard.has(keyOf(party));
          if (isNew && room <= 0) {
            left += 1;
            continue;
          }
          if (isNew) room -= 1;
          else waiting -= 1;
          taken.push(party);
        }
      }
      choose(taken, true);
      if (left > 0 || next < total)
        session.notice.value = words().canvas.hub.chosen(
          count(chosen.size + taken.length),
          count(total),
          count(SCENE_NODES_MAX),
        );
    });
  const draw = () =>
    session.run(async (signal) => {
      if (!answer) return;
      await drawParties(session, { ...answer, counterparties: [...chosen.values()] }, signal);
      setChosen(new Map());
    });
  return {
    answer,
    error,
    loading,
    chosen,
    isDrawn,
    choose,
    chooseFound,
    draw,
    offset,
    setOffset,
    order,
    setOrder: (wanted: string) => {
      setOrder(wanted);
      setOffset(0);
    },
    typed,
    setTyped,
  };
}
