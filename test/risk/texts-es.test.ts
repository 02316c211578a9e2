import { expect, it, describe as suite } from 'vitest';
import { TEXTS_EN } from '../../src/risk/texts/en.ts';
import { TEXTS_ES } from '../../src/risk/texts/es.ts';
import { TEXTS_JA } from '../../src/risk/texts/ja.ts';
import { describe, detectorName } from '../../src/risk/texts/texts.ts';
import { DETECTOR_CASES } from './detector-cases.ts';
import { assessed } from './world.ts';

const placeholders = (text: string) =>
  new Set([...text.replaceAll('{worth}', '{value}').matchAll(/\{(\w+)/g)].map((match) => match[1]));

suite('the Spanish texts of detections', () => {
  it('exist for every detector and variant, with the same figures', () => {
    expect(Object.keys(TEXTS_ES.texts).sort()).toEqual(Object.keys(TEXTS_EN.texts).sort());
    expect(Object.keys(TEXTS_ES.names).sort()).toEqual(Object.keys(TEXTS_EN.names).sort());
    for (const [key, text] of Object.entries(TEXTS_EN.texts)) {
      expect([key, placeholders(TEXTS_ES.texts[key]!)]).toEqual([key, placeholders(text)]);
      expect(TEXTS_ES.texts[key], key).toMatch(/\.$/);
    }
    for (const word of [...Object.keys(TEXTS_EN.words), ...Object.keys(TEXTS_JA.words)]) {
      expect(TEXTS_ES.words[word], word).toBeTruthy();
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
