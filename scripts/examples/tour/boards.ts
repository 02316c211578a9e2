import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';
import { on, type TourGuide } from './guide.ts';

export async function boards({ ask, world }: TourGuide, case_id: string): Promise<string> {
  const address = on(world, 'laundering', 'layer_4');
  const key = `ethereum:${address}`;
  const drawn = { x: 0, y: 0, pinned: false, hidden: false, colour: null, group: null, bundle: null };
  const known = { label: null, category: 'unknown', entity: null, read: true, note: 'Last wallet' } as const;
  const nodes: Scene['nodes'] = [{ key, chain: 'ethereum', address, ...known, ...drawn }];
  const scene: Scene = { ...EMPTY_SCENE, subject: key, nodes };
  const made = await ask('createBoard', 200, { body: { title: 'Way of the stolen withdrawal', case_id, scene } });
  const { id } = (made as { board: { id: string } }).board;
  const params = { board_id: id };
  const body = { title: 'Way of the withdrawal' };
  await ask('saveBoard', 428, { params, body });
  await ask('saveBoard', 200, { params, headers: { 'If-Match': '"1"' }, body });
  await ask('saveBoard', 412, { params, headers: { 'If-Match': '"1"' }, body });
  await ask('saveBoard', 400, { params, headers: { 'If-Match': '"2"' }, body: {} });
  await ask('getBoard', 200, { params });
  await ask('exportBoardAsGraphml', 200, { params });
  await ask('exportBoardAsCanvas', 200, { params });
  await ask('listBoards', 200, { query: { case_id } });
  await ask('listBoardVersions', 200, { params });
  await ask('getBoardVersion', 200, { params: { ...params, version: '2' } });
  const { board: other } = (await ask('createBoard', 200, { body: { title: 'Sketch', scene: EMPTY_SCENE } })) as {
    board: { id: string };
  };
  const others = { board_id: other.id };
  await ask('watchBoard', 400, { params: others });
  await ask('deleteBoard', 428, { params: others });
  await ask('deleteBoard', 412, { params: others, headers: { 'If-Match': '"2"' } });
  await ask('deleteBoard', 200, { params: others, headers: { 'If-Match': '"1"' } });
  return id;
}
