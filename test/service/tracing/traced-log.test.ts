import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { organisationDecider } from '../../../src/commands/tenancy/tenancy.ts';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import { tracedLog, tracedWriter } from '../../../src/service/tracing/traced-log.ts';
import { systemClock, systemIds } from '../../../src/shared/system.ts';
import { inTrace } from '../../../src/shared/trace-context.ts';
import type { Tracing } from '../../../src/shared/tracing.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('a traced log', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('has no span for what commands read, which wait for one another', async () => {
    const log = await openSqliteStore({ directory: folder.path });
    const begun: string[][] = [];
    const tracing: Tracing = {
      request: () => undefined,
      child({ name, parent }) {
        if (parent !== undefined) begun.push([name, parent]);
        return undefined;
      },
      close: async () => undefined,
    };
    const store = tracedLog(log, tracing);
    const writer = tracedWriter(createWriter({ store, clock: systemClock, ids: systemIds }));
    const create = { type: 'Create' as const, organisationId: 'o', name: 'Shop' };
    const execute = () =>
      writer.execute(organisationDecider, 'o', create, { requestId: 'r' }).catch(() => undefined);
    await Promise.all([inTrace('one', execute), inTrace('other', execute)]);
    expect(begun).to.deep.equal([['append organisation', 'one']]);
    const [event] = await inTrace('one', () => store.read('organisation-o'));
    expect(event!.meta.traceparent).to.equal('one');
    expect(begun.slice(1)).to.deep.equal([['read organisation', 'one']]);
    await log.close();
  });
});
