import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { describeConfig } from '../../src/config.ts';

it('.env.example has every setting, with its default', () => {
  const example = parseEnv(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8'));
  const valuesOf = (settings: ReturnType<typeof describeConfig>) =>
    Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  const defaults = valuesOf(describeConfig({}, {}));
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(defaults).toSorted());
  expect(valuesOf(describeConfig(example, {}))).toEqual(defaults);
});
