import { answerJobs } from '../src/fairness/bounded-process.ts';
import { render } from './render.ts';

answerJobs(render);
