import { chainsOfHash } from '../../../src/domain/tx-hash.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { StartForm } from '../../parts/form/start-form.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { CHECKS, CheckLinks, isCheck } from '../checks/sections.tsx';
import { RecentScans } from './recent-scans.tsx';
import { ScanView } from './scan-view.tsx';
import { TransactionView } from './transaction-view.tsx';

/**
 * `#/scan` asks for an address; `#/scan/<chain>/<address>` scans it, where the chain `auto` is detected. A transaction's hash
 * in its place is looked up. Other checks have sections: `#/scan/batch`, `#/scan/transaction`, `#/scan/token`,
 * `#/scan/presign`.
 */
export function ScanPage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const scan = (wanted: { chain: string; address: string }) =>
    goTo(linkTo('scan', [wanted.chain || 'auto', wanted.address]));
  const texts = words().scan;
  if (isCheck(chain)) {
    const Section = CHECKS[chain];
    return (
      <>
        <h1>{words().checks.sections[chain]}</h1>
        <CheckLinks shown={chain} />
        <Section route={route} />
      </>
    );
  }
  return (
    <>
      <h1>{texts.title}</h1>
      <CheckLinks shown="" />
      <StartForm
        key={`${chain}/${address}`}
        chain={chain === 'auto' ? '' : chain}
        address={address}
        submit={texts.scan}
        onStart={scan}
      />
      {address ? <Found key={`${chain}/${address}`} chain={chain} address={address} /> : <RecentScans />}
    </>
  );
}

function Found({ chain, address }: { chain: string; address: string }) {
  const [first] = chainsOfHash(address);
  if (!first) return <ScanView chain={chain} address={address} />;
  // Bitcoin, TRON and XRP write a hash alike, and its chain must be chosen; on EVM chains Ethereum is meant.
  if (chain === 'auto' && first === 'bitcoin') return <ErrorNote error={words().scan.chooseChain} />;
  return <TransactionView chain={chain === 'auto' ? first : chain} hash={address} />;
}
