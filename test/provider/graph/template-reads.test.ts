import { expect } from 'chai';
import type { Reply } from '../../../src/provider/graph/client.ts';
import type { Manage } from '../../../src/provider/graph/manage.ts';
import { createSubmissions, createTemplateReads } from '../../../src/provider/graph/templates.ts';
import { ProviderUnreachable } from '../../../src/provider/provider.ts';
import type { Json } from '../../../src/provider/shape.ts';
import { fixedClock } from '../../support/ambient.ts';
import { sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';

const TIMEOUT_MS = 4000;

const template = (id: number, change: object = {}) => ({
  id: String(id),
  name: 'order_ready',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [],
  ...change,
});

/** A provider that gives these answers one after the other. */
const stage = (answers: (Json | Reply)[], msPerCall = 0) => {
  const clock = fixedClock();
  const calls: { path: string; query: Record<string, string> }[] = [];
  const next = (path: string, query: Record<string, string>): Promise<Reply> => {
    calls.push({ path, query });
    clock.advance(msPerCall);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    const isReply = 'kind' in answer;
    return Promise.resolve(
      isReply ? (answer as Reply) : { kind: 'ok', status: 200, body: answer as Json },
    );
  };
  const manage: Manage = {
    get: (_, path, query) => next(path, query),
    remove: (_, path, query) => next(path, query),
    post: (_, path) => next(path, {}),
  };
  const reads = createTemplateReads(manage, { clock, timeoutMs: TIMEOUT_MS });
  return { reads, calls, submissions: createSubmissions(manage, reads) };
};

const refused = (code: number): Reply => ({
  kind: 'refused',
  refusal: { code, subcode: null, message: 'no', httpStatus: 400 },
});

const idsOf = (found: readonly { metaTemplateId: string }[]) =>
  found.map(({ metaTemplateId }) => metaTemplateId);

describe('reads of templates', () => {
  it('follow the cursors to the last page', async () => {
    const { reads, calls } = stage([
      { data: [template(1)], paging: { next: 'https://x/?after=B', cursors: { after: 'A' } } },
      { data: [template(2)], paging: { next: 'https://x/?limit=1&after=C' } },
      { data: [template(3)], paging: { cursors: { after: 'D' } } },
    ]);
    expect(idsOf(await reads.list(sender()))).to.deep.equal(['1', '2', '3']);
    expect(calls.map(({ query }) => query.after)).to.deep.equal([undefined, 'A', 'C']);
    expect(calls[0]!.query).to.include({ limit: '100' }).and.have.property('fields');
  });

  it('end at a page that leads nowhere or to itself', async () => {
    for (const next of ['https://x/?limit=1', 'https://x/', 'no address']) {
      const { reads, calls } = stage([{ data: [template(1)], paging: { next } }]);
      expect(idsOf(await reads.list(sender())), next).to.deep.equal(['1']);
      expect(calls).to.have.length(1);
    }
    const again = { data: [template(1)], paging: { next: 'https://x/?after=A' } };
    const { reads, calls } = stage([again]);
    expect(idsOf(await reads.list(sender()))).to.deep.equal(['1', '1']);
    expect(calls).to.have.length(2);
  });

  const endless = (pages: number) =>
    Array.from({ length: pages }, (_, page) => ({
      data: [template(page)],
      paging: { next: 'https://x/', cursors: { after: `p${page}` } },
    }));

  it('read 100 pages, and throw if there are more', async () => {
    const last = { data: [template(99)] };
    const whole = stage([...endless(99), last]);
    expect(await whole.reads.list(sender())).to.have.length(100);
    const more = stage([...endless(100), last]);
    const error = await failureOf(more.reads.list(sender()));
    expect(error).to.be.instanceOf(ProviderUnreachable);
    expect(more.calls).to.have.length(100);
  });

  it('start no page after the time limit', async () => {
    const inTime = stage([...endless(3), { data: [] }], TIMEOUT_MS / 4);
    expect(await inTime.reads.list(sender())).to.have.length(3);
    const late = stage([...endless(4), { data: [] }], TIMEOUT_MS / 4);
    expect(await failureOf(late.reads.list(sender()))).to.be.instanceOf(ProviderUnreachable);
    expect(late.calls).to.have.length(4);
  });

  it('leave out other values, deleted templates, and names that only contain the name', async () => {
    const data = [
      template(1),
      null,
      'x',
      template(2, { name: 'order_ready_2' }),
      ...['id', 'name', 'language', 'status'].map((field) => template(3, { [field]: undefined })),
      template(4, { status: 'PENDING_DELETION' }),
      template(5, { category: undefined, components: 'none', language: 'de' }),
    ];
    const all = await stage([{ data }]).reads.list(sender());
    expect(idsOf(all)).to.deep.equal(['1', '2', '5']);
    expect(all[2]).to.include({ category: 'MARKETING', language: 'de' });
    expect(all[2]!.components).to.deep.equal([]);
    const { reads, calls } = stage([{ data }]);
    expect(idsOf(await reads.list(sender(), 'order_ready'))).to.deep.equal(['1', '5']);
    expect(calls[0]!.query.name).to.equal('order_ready');
    expect(await reads.find(sender(), 'order_ready', 'de')).to.include({ metaTemplateId: '5' });
    expect(await reads.find(sender(), 'order_ready', 'fr')).to.equal(undefined);
  });

  it("find a template under the sender's business account only", async () => {
    const rejected = template(1, { status: 'REJECTED', rejected_reason: 'SCAM' });
    const own = stage([rejected, { data: [template(2), template(1)] }]);
    const { id: metaTemplateId, ...rest } = template(1);
    const state = { status: 'REJECTED', statusReason: 'SCAM' };
    expect(await own.reads.readOwn(sender(), '1')).to.deep.equal({
      metaTemplateId,
      ...rest,
      ...state,
    });
    const paths = own.calls.map(({ path }) => path);
    expect(paths).to.deep.equal(['1', '200000000000002/message_templates']);
    const other = stage([template(1), { data: [template(2)] }]);
    expect(await other.reads.readOwn(sender(), '1')).to.equal(undefined);
    for (const none of [refused(803), { id: '1', display_phone_number: '+1' }]) {
      const gone = stage([none]);
      expect(await gone.reads.readOwn(sender(), '1')).to.equal(undefined);
      expect(gone.calls).to.have.length(1);
    }
    const error = await failureOf(stage([refused(190)]).reads.readOwn(sender(), '1'));
    expect(error).to.have.property('name', 'ProviderRefused');
  });

  it('ask the provider for nothing that cannot be the id of a template', async () => {
    for (const other of ['me', 'debug_token', '..', '../200000000000002', '1?fields=id', '١', '']) {
      const { reads, calls } = stage([template(1)]);
      expect(await reads.readOwn(sender(), other), other).to.equal(undefined);
      expect(calls, other).to.deep.equal([]);
    }
  });
});

describe('submissions', () => {
  const draft = { name: 'order_ready', language: 'en_US', category: 'UTILITY', components: [] };

  it('take state and category from the answer, else from the request', async () => {
    const submitted = async (answer: Json) =>
      stage([answer]).submissions.submit(sender(), draft as never);
    const outcome = { kind: 'submitted', metaTemplateId: '7', isNew: true };
    const assumed = { status: 'PENDING', category: 'UTILITY' };
    expect(await submitted({ id: '7' })).to.deep.equal({ ...outcome, ...assumed });
    const said = { status: 'APPROVED', category: 'MARKETING' };
    expect(await submitted({ id: '7', ...said })).to.deep.equal({ ...outcome, ...said });
    expect(await submitted({ id: '7', status: 'DELETED' })).to.include({ status: 'PENDING' });
  });

  it('of changes do not look at what nobody knows to be changed', async () => {
    for (const kind of ['unreachable', 'unknown'] as const) {
      const { submissions, calls } = stage([{ kind, reason: 'ECONNRESET' }, template(1)]);
      const error = await failureOf(submissions.edit(sender(), '1', []));
      expect(error)
        .to.be.instanceOf(ProviderUnreachable)
        .and.match(/ECONNRESET/);
      expect(calls).to.have.length(1);
    }
  });

  it('of changes say so where the template cannot be read afterwards', async () => {
    const { submissions } = stage([{ success: true }, refused(803)]);
    const error = await failureOf(submissions.edit(sender(), '1', []));
    expect(error)
      .to.be.instanceOf(ProviderUnreachable)
      .and.match(/edited/);
  });
});
