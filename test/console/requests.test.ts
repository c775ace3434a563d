import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json } from '../support/waybill.ts';

const source = join(import.meta.dirname, '../../console/src');
// By computed paths: these files are checked with the console's own types.
const load: (path: string) => Json = createRequire(import.meta.url);
const { outcomeWords } = load(join(source, 'ui/approval.ts'));

describe('A request of the console that does something', () => {
  it('is not called done while it waits for another administrator', () => {
    expect(outcomeWords({ data: { id: 'one' } }, 'Granted')).to.equal('Granted');
    const waiting = { data: { approval: { id: 'one', state: 'waiting' } } };
    expect(outcomeWords(waiting, 'Granted')).to.match(/waits for another administrator/);
  });
});
