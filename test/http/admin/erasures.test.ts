import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { fieldErrorsOf, typesOf, useTenant, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, type Json } from '../../support/waybill.ts';

const NOW_ISO = '2026-11-21T12:00:00.000Z';
const CONTACT = '919812345678';
const nothing = { events: 0, messages: 0, conversations: 0, runs: 0, deadLetters: 0 };

describe('Erasures @long', () => {
  const on = useTenant();
  const post = (body?: Json) => on.waybill.admin('POST', '/erasures', body);
  const get = (path: string) => on.waybill.admin('GET', path);
  const done = async (id: string): Promise<Json> => {
    let body: Json;
    await untilTrue('the erasure is done', async () => {
      ({ body } = await get(`/erasures/${id}`));
      return body.state === 'done';
    });
    return body;
  };

  it('answer 202, and are done also where nothing is held of the contact', async () => {
    const reason = 'asked by letter';
    const { body } = await answered(202, post({ contact: `+${CONTACT}`, reason }));
    expect(body).to.deep.include({
      accountId: null,
      reason,
      requestedAt: NOW_ISO,
      requestedBy: { id: 'root', name: 'Root administrator', email: 'root@localhost' },
    });
    const ended = await done(body.id);
    expect(ended).to.deep.equal({ ...body, state: 'done', doneAt: NOW_ISO, found: nothing });

    const events = await on.waybill.events(`erasure-${body.id}`);
    expect(typesOf(events)).to.deep.equal(['ErasureRequested', 'ErasureStarted', 'ErasureDone']);
    expect(events[0]!.data).to.deep.include({ accountId: null, subjects: [] });
    const destroyed = (await on.waybill.events('destroyedkeys-all')).slice(-1);
    expect(destroyed.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'ContactErased', data: { erasureId: body.id, refs: [] } },
    ]);
  });

  it('are listed, newest first, by state, and hold no number in the log', async () => {
    const ids: string[] = [];
    for (const contact of [CONTACT, 'US.13491208655302741918']) {
      const { body } = await post({ contact, accountId: on.tenant.accountId });
      ids.unshift(body.id);
      expect(await done(body.id)).to.deep.include({ accountId: on.tenant.accountId });
    }
    const { body } = await get('/erasures?state=done&limit=2');
    expect(body.erasures.map(({ id }: Json) => id)).to.deep.equal(ids);
    expect((await get('/erasures?state=queued')).body.erasures).to.deep.equal([]);
    const text = JSON.stringify(await on.waybill.log());
    expect(text).to.not.include(CONTACT);
    expect(text).to.not.include('13491208655302741918');
  });

  it('refuse unknown accounts, other contacts, and a reason with a number', async () => {
    await answered(404, post({ contact: CONTACT, accountId: 'acc_none' }));
    for (const contact of ['', 'Asha', '+', '12 and 34', 'us.123']) {
      expect(fieldErrorsOf(await post({ contact })), contact).to.deep.equal(['contact']);
    }
    const reason = 'it is 9198123 really';
    expect(fieldErrorsOf(await post({ contact: CONTACT, reason }))).to.deep.equal(['reason']);
    await answered(202, post({ contact: CONTACT, reason: 'case 123456' }));
    await answered(404, get('/erasures/none'));
  });
});

describe('An erasure whose files cannot be cleaned @long', () => {
  let isBusy = true;
  const on = useWaybill({
    wrapViews: (views) => ({
      ...views,
      async clean() {
        if (isBusy) throw new Error('a reader holds the file');
        await views.clean();
      },
    }),
  });
  const read = (path: string) => on.waybill.call('GET', `/..${path}`, { token: ADMIN_TOKEN });
  const ready = async (): Promise<Json> => {
    const { status, body } = await read('/health/ready');
    return { status, ...body.checks.erasures };
  };
  const unfinished = async () =>
    /^waybill_erasures_unfinished (\d+)$/m.exec((await read('/metrics')).body)?.[1];

  it('stays running, in sight of readiness and metrics, and is done later', async () => {
    const { body } = await on.waybill.admin('POST', '/erasures', { contact: CONTACT });
    const stateOf = async () => (await on.waybill.admin('GET', `/erasures/${body.id}`)).body.state;
    await untilTrue('readiness tells', async () => (await ready()).ok === false);
    const detail = 'files with erased data cannot be cleaned: a reader holds the file';
    expect(await ready()).to.deep.equal({ status: 503, ok: false, detail });
    await untilTrue('the metric tells', async () => (await unfinished()) === '1');
    expect(await stateOf()).to.equal('running');
    isBusy = false;
    await untilTrue('it is done', async () => (await stateOf()) === 'done');
    await untilTrue('readiness tells no more', async () => (await ready()).status === 200);
    await untilTrue('the metric tells no more', async () => (await unfinished()) === '0');
  });
});

describe('The retention of an account @long', () => {
  const on = useTenant();
  const set = (contentRetentionMonths: unknown, id = on.tenant.accountId) =>
    on.waybill.admin('PATCH', `/accounts/${id}/retention`, { contentRetentionMonths });

  it('is for ever until it is set, and shown with the account', async () => {
    const { body: before } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}`);
    expect(before.contentRetentionMonths).to.equal(null);
    const { body } = await answered(200, set(24));
    expect(body).to.deep.equal({ ...before, contentRetentionMonths: 24 });
    expect((await set(null)).body).to.deep.equal(before);
    const { accountId } = on.tenant;
    const events = await on.waybill.events(`retention-${accountId}`);
    expect(events.map(({ data }) => data)).to.deep.equal([
      { accountId, contentRetentionMonths: 24 },
      { accountId, contentRetentionMonths: null },
    ]);
    expect(events[0]!.meta.by).to.deep.include({ id: 'root' });
  });

  it('refuses what is no number of months, and unknown accounts', async () => {
    for (const months of [0, 121, 1.5, '12', undefined]) {
      const fields = fieldErrorsOf(await set(months));
      expect(fields, String(months)).to.deep.equal(['contentRetentionMonths']);
    }
    await answered(404, set(12, 'acc_none'));
  });
});
