import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { scanTexts } from '../../texts/scan.ts';
import { RecentScans } from './recent-scans.tsx';
import { ScanForm } from './scan-form.tsx';
import { ScanView } from './scan-view.tsx';

/** `#/scan` asks for an address; `#/scan/<chain>/<address>` scans it, where the chain `auto` is detected. */
export function ScanPage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const scan = (wanted: { chain: string; address: string }) =>
    goTo(linkTo('scan', [wanted.chain || 'auto', wanted.address]));
  return (
    <>
      <h1>{scanTexts().title}</h1>
      <ScanForm key={`${chain}/${address}`} chain={chain === 'auto' ? '' : chain} address={address} onScan={scan} />
      {address ? <ScanView key={`${chain}/${address}`} chain={chain} address={address} /> : <RecentScans />}
    </>
  );
}
