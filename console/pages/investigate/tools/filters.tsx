import { CATEGORIES, type Category } from '../../../../src/domain/label.ts';
import { EMPTY_SCENE } from '../../../../src/domain/scene/empty-scene.ts';
import { assetsIn } from '../../../../src/domain/scene/sums.ts';
import { codeWord } from '../../../../words/look-up.ts';
import { bracketed, words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { Dropdown } from '../../../parts/dropdown.tsx';
import { Field } from '../../../parts/field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { setFilters } from '../../../scene/edits.ts';

/** Which money the picture shows; all sums follow. */
export function Filters({ desk }: { desk: Desk }) {
  const texts = words().canvas;
  const { filters, flows, nodes } = desk.stage.value.scene;
  const categories = CATEGORIES.filter((one) => nodes.some(({ category }) => category === one));
  const active = activeFilters(desk);
  const toggled = <T,>(list: readonly T[], one: T) =>
    list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
  return (
    <Dropdown label={active > 0 ? bracketed(texts.filters, active) : texts.filters}>
      <Field label={texts.minUsd}>
        <input
          type="number"
          min="0"
          value={filters.min_usd ?? ''}
          onChange={({ currentTarget: { value } }) =>
            desk.edit(setFilters({ min_usd: value === '' ? null : Math.max(0, Number(value)) }))
          }
        />
      </Field>
      <Field label={words().investigate.direction}>
        <ChoiceSelect
          value={filters.direction}
          choices={texts.directions}
          onChange={(value) => desk.edit(setFilters({ direction: value as typeof filters.direction }))}
        />
      </Field>
      <Checkbox
        label={texts.followedOnly}
        checked={filters.followed_only}
        onChange={(checked) => desk.edit(setFilters({ followed_only: checked }))}
      />
      <fieldset class="choices-list">
        <legend>{texts.assets}</legend>
        {assetsIn(flows).map((asset) => (
          <Checkbox
            key={asset}
            label={asset}
            checked={filters.assets.includes(asset)}
            onChange={() => desk.edit(setFilters({ assets: toggled(filters.assets, asset).slice(0, 200) }))}
          />
        ))}
      </fieldset>
      <fieldset class="choices-list">
        <legend>{words().investigate.category}</legend>
        {categories.map((category: Category) => (
          <Checkbox
            key={category}
            label={codeWord(words().codes, category)}
            checked={filters.categories.includes(category)}
            onChange={() => desk.edit(setFilters({ categories: toggled(filters.categories, category) }))}
          />
        ))}
      </fieldset>
      <button type="button" disabled={active === 0} onClick={() => desk.edit(setFilters(EMPTY_SCENE.filters))}>
        {texts.noFilters}
      </button>
    </Dropdown>
  );
}

function activeFilters({ stage }: Desk): number {
  const { from, to, min_usd, assets, categories, direction, followed_only } = stage.value.scene.filters;
  const isActive = [from !== null || to !== null, min_usd !== null, assets.length > 0, categories.length > 0];
  return [...isActive, direction !== 'both', followed_only].filter(Boolean).length;
}
