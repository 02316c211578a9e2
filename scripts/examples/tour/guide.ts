import { roleOf, type World } from '../../../fixtures/demo/world.ts';
import type { Recorder } from '../recorder.ts';

export interface Started {
  job_id: string;
}
export interface Job {
  status: string;
}

export const isOver = ({ status }: Job) => status === 'completed' || status === 'failed';

/** Everything that the tour needs of the demo. */
export interface TourGuide extends Recorder {
  world: World;
  keys: { enterprise: string; free: string; pro: string };
  /** An endpoint that answers 200. */
  hook: string;
}

export const on = (world: World, story: string, name?: string, chain: 'ethereum' | 'tron' = 'ethereum') =>
  roleOf(world, chain, story, name).address;
