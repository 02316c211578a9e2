import { domainsIn } from '../../src/domain/text/domain-name.ts';
import { readAddressList, textField } from '../reading/json.ts';
import { hasEnding, type LabelLoader, type ListedLabel, type Work } from '../reading/loader.ts';
import { tallyOf } from '../reading/tally.ts';
import { labelOf, listedAddress } from './label-row.ts';

const SOURCE = 'darklist';

/** MyEtherWallet's dark list. Its dates are of the entry, not of the scam: the labels are valid always. */
export const darklistLoader: LabelLoader = {
  kind: 'labels',
  format: 'a JSON list of objects with address and comment',
  isList: true,
  accepts: hasEnding('.json'),
  read,
  speaksFor: () => [SOURCE],
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedLabel> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    for (const [index, entry] of (await readAddressList(file, signal)).entries()) {
      own.read += 1;
      if (entry === null) {
        own.skip(index + 1, 'not an object');
        continue;
      }
      const made = labelOf(
        {
          chain: 'ethereum',
          address: listedAddress(textField(entry.address), index + 1, own),
          category: 'scam',
          label: textField(entry.comment) || 'MyEtherWallet dark list',
          source: SOURCE,
          confidence: 70,
        },
        index + 1,
        own,
      );
      if (made) yield { ...made, domains: domainsIn(made.label) };
    }
  }
}
