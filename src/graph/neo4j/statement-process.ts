import { answerJobs } from '../../fairness/bounded-process.ts';
import { runOwn } from './run-own.ts';

answerJobs(runOwn);
