import type { RecordsContext } from '../../context.ts';
import type { Scene } from '../../domain/scene/scene.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import { getBoard, listBoards } from './manage-boards.ts';

export interface PrintedBoards {
  shown: (Awaited<ReturnType<typeof getBoard>>['board'] & { scene: Scene })[];
  total: number;
}

/** Boards of one report: each may hold 2,000 addresses. */
const BOARDS_MAX = 10;

/** The boards of a case with their scenes, the last saved first. */
export async function listBoardsOfCase(
  ctx: RecordsContext,
  actor: Actor,
  caseId: string,
  most = BOARDS_MAX,
): Promise<PrintedBoards> {
  const { boards, total } = await listBoards(ctx, actor, { caseId, limit: most, offset: 0 });
  const shown: PrintedBoards['shown'] = [];
  for (const { id } of boards) {
    const { board, scene } = await getBoard(ctx, actor, id);
    shown.push({ ...board, scene: JSON.parse(scene.toString()) as Scene });
  }
  return { shown, total };
}
