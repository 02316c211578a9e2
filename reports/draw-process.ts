import { answerJobs } from '../src/fairness/bounded-process.ts';
import { render } from './draw.ts';
import { loadFonts } from './pdf/fonts.ts';

loadFonts();
answerJobs(render);
