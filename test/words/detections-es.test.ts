import { expect, it, describe as suite } from 'vitest';
import { describe, detectorName } from '../../words/describe.ts';
import { WORDS } from '../../words/words.ts';
import { DETECTOR_CASES } from '../risk/detector-cases.ts';
import { assessed } from '../risk/world.ts';

const { en, es } = WORDS;

const texts: Record<string, string> = es.detections.texts;
const placeholders = (text: string) =>
  new Set([...text.replaceAll('{worth}', '{value}').matchAll(/\{(\w+)/g)].map((match) => match[1]));

suite('the Spanish texts of detections', () => {
  it('exist for every detector and variant, with the same figures', () => {
    for (const [key, text] of Object.entries(en.detections.texts)) {
      expect([key, placeholders(texts[key]!)]).toEqual([key, placeholders(text)]);
      expect(texts[key], key).toMatch(/\.$/);
    }
  });

  it.each(DETECTOR_CASES)('$id at $severity leave no gap and differ from English', ({ fires, labels = [], chain }) => {
    const { detections } = assessed(fires(), { labels, ...(chain ? { chain } : {}) });
    for (const detection of detections) {
      const { detector_name, description } = describe(detection, 'es');
      expect(description).not.toMatch(/[{}]|undefined|NaN|null/);
      expect(description).not.toBe(detection.description);
      expect(detector_name).toBe(detectorName(detection.detector_id, 'es'));
      expect(detector_name).not.toBe(detection.detector_name);
    }
  });
});
