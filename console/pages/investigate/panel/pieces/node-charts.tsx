import { language, words } from '../../../../browser/words.ts';
import { ErrorNote, Loading } from '../../../../parts/notes.tsx';
import { Activity } from '../../../address/facts/activity.tsx';
import { ExposureBars } from '../../../address/facts/exposure-bars.tsx';
import { useExposure, useProfile } from '../../../address/facts/profile-facts.tsx';

interface NodeChartsProps {
  chain: string;
  address: string;
}

/** Draws money by month and exposure by category, as the page of the address does. Costs nothing. */
export function NodeCharts({ chain, address }: NodeChartsProps) {
  const place = { chain, address, group: 'address' } as const;
  const profile = useProfile(place);
  const exposure = useExposure({ ...place, lang: language.value });
  return (
    <>
      <h3>{words().profile.activity}</h3>
      <ErrorNote error={profile.error} />
      {profile.loading && <Loading />}
      {profile.answer && <Activity months={profile.answer.months} truncated={profile.answer.months_truncated} />}
      <h3>{words().investigate.exposure}</h3>
      <ErrorNote error={exposure.error} />
      {exposure.loading && <Loading />}
      {exposure.answer && <ExposureBars exposure={exposure.answer} />}
    </>
  );
}
