import { answerJobs } from '../src/fairness/bounded-process.ts';
import { loadFonts } from './pdf/fonts.ts';
import { render } from './render.ts';

loadFonts();
answerJobs(render);
