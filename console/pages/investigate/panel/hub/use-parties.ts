import { useEffect, useState } from 'preact/hooks';
import { SCENE_NODES_MAX } from '../../../../../src/domain/scene/bounds.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { counterpartiesOf, drawParties } from '../../../../desk/asks.ts';
import type { Desk } from '../../../../desk/desk.ts';
import { nodeKey } from '../../../../scene/additions.ts';
import type { GraphCounterparties } from '../../../../service/tracing-answers.ts';
import { useAnswer } from '../../../../service/use-answer.ts';

export type HubPlace = Pick<SceneNode, 'chain' | 'address'>;
export type HubParty = GraphCounterparties['counterparties'][number];

export const PAGE = 50;
/** Counterparties of one request at most. */
const REQUEST_MAX = 500;
/** Waits until the reader stops typing. */
const PAUSE_MS = 250;

/** Keeps a page of the counterparties of a hub, and those that are chosen on any page. */
export function useParties(desk: Desk, hub: HubPlace) {
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
  /** Chooses all that are found, as far as a board has room for them. */
  const chooseFound = () =>
    desk.run(async (signal) => {
      const room = SCENE_NODES_MAX - nodes.length;
      const found: HubParty[] = [];
      for (let next = 0; found.length < room; next += REQUEST_MAX) {
        const page = await counterpartiesOf(hub, signal, { limit: REQUEST_MAX, offset: next, order, search });
        found.push(...page.counterparties.filter((party) => !isDrawn(party)));
        if (next + REQUEST_MAX >= page.total) break;
      }
      choose(found.slice(0, room), true);
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
