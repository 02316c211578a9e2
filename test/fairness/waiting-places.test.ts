import { expect, it } from 'vitest';
import { TooManyError } from '../../src/errors.ts';
import { createWaitingPlaces } from '../../src/fairness/waiting-places.ts';

it('lets so many requests of an account wait at once, each place until it is given back, and others beside them', () => {
  const places = createWaitingPlaces(2, 'Too many');
  const [leave] = [places.enter('one'), places.enter('one')];
  expect(() => places.enter('one')).toThrow(TooManyError);
  const leaveOther = places.enter('other');
  leave();
  places.enter('one');
  expect(() => places.enter('one')).toThrow(TooManyError);
  leaveOther();
  places.enter('other');
  places.enter('other');
  expect(() => places.enter('other')).toThrow(TooManyError);
});
