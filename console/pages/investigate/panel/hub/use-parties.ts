import { useEffect, useState } from 'preact/hooks';
import { SCENE_NODES_MAX } from '../../../../../src/domain/scene/bounds.ts';
import type { SceneAddress } from '../../../../../src/domain/scene/scene.ts';
import { count } from '../../../../browser/figures.ts';
import { words } from '../../../../browser/words.ts';
import { counterpartiesOf, drawParties } from '../../../../desk/asks.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { nodeKey } from '../../../../scene/additions.ts';
import type { GraphCounterparties } from '../../../../service/tracing-answers.ts';
import { useAnswer } from '../../../../service/use-answer.ts';

export type HubParty = GraphCounterparties['counterparties'][number];

export const PAGE = 50;
/** Counterparties of one request at most. */
const REQUEST_MAX = 500;
/** Waits until the reader stops typing. */
const PAUSE_MS = 250;

/** Keeps a page of the counterparties of a hub, and those that are chosen on any page. */
export function useParties(desk: Desk, hub: SceneAddress) {
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
  const { nodes } = desk.stage.value.scene;
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
    desk.run(async (signal) => {
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
        desk.notice.value = words().canvas.hub.chosen(
          count(chosen.size + taken.length),
          count(total),
          count(SCENE_NODES_MAX),
        );
    });
  const draw = () =>
    desk.run(async (signal) => {
      if (!answer) return;
      await drawParties(desk, { ...answer, counterparties: [...chosen.values()] }, signal);
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
