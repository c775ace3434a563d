import { expect } from 'chai';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { FORM_TYPE, formOf } from '../../support/form.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { fieldErrorsOf, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Answer,
  type Json,
  nextMessage,
  openTenant,
  orderShipped,
  providerAccepts,
  providerBreaks,
  providerRefuses,
  statusPayload,
} from '../../support/waybill.ts';

const { variables } = orderShipped();
const columns = {
  to: 'phone',
  clientReference: 'ref',
  variables: { orderId: 'orderId', awbCode: 'awbCode', trackingLink: 'trackingLink' },
};
const SPEC = { event: 'order_shipped', columns };
const HEAD = 'phone,ref,orderId,awbCode,trackingLink\n';
const line = (phone: string, ref = '') => `${phone},${ref},A-1,AWB1,https://shop.example/t/1\n`;
const phone = (digit: number) => `+9198123456${String(digit).padStart(2, '0')}`;

/** Of a file; those of a service are 100,000 rows and 100 MB. More bytes than lie in the buffers on their way. */
const ROWS_MAX = 200;
const BYTES_MAX = 2_000_000;

describe('jobs @long', () => {
  const on = useTenant(
    { templates: ['order_shipped'], credits: 10 },
    { bounds: { jobFiles: { rowsMax: ROWS_MAX, bytesMax: BYTES_MAX } } },
  );
  const call = (method: string, path: string, body?: Json): Promise<Answer> =>
    on.call(method, `/v1/jobs${path}`, body);
  const row = (digit: number, more: Json = {}) => ({ phone: phone(digit), ...variables, ...more });
  const make = (rows: Json[], more: Json = {}) => call('POST', '', { ...SPEC, rows, ...more });
  const upload = (
    file: string | Buffer,
    filename = 'rows.csv',
    { spec = SPEC, key }: { spec?: Json; key?: string } = {},
  ) =>
    on.waybill.call('POST', '/v1/jobs', {
      token: on.tenant.apiKey,
      raw: formOf(
        { name: 'spec', value: JSON.stringify(spec) },
        { name: 'file', value: file, filename, type: 'text/csv' },
      ),
      headers: { 'content-type': FORM_TYPE, ...(key && { 'idempotency-key': key }) },
    });
  const read = async (id: string): Promise<Json> => (await call('GET', `/${id}`)).body;
  /** Waits for the job to come into one of these states. */
  const until = async (id: string, ...states: string[]): Promise<Json> => {
    let job: Json;
    await untilTrue(`the job is ${states.join(' or ')}`, async () => {
      job = await read(id);
      // What was left, as on a busy machine, is tried again a second later.
      if (!states.includes(job.state)) on.waybill.clock.advance(100);
      return states.includes(job.state);
    });
    return job;
  };
  const ready = async (answer: Answer): Promise<Json> => {
    const { body } = await answered(201, answer);
    expect(body.state).to.equal('checking');
    return until(body.id, 'ready');
  };
  const start = (id: string) => call('POST', `/${id}/start`);
  const run = async (id: string, end = 'done') => {
    await start(id);
    return until(id, end);
  };
  const rowsOf = async (id: string, query = '') =>
    (await call('GET', `/${id}/rows${query}`)).body.rows as Json[];
  /** Other events may be of work in the background. */
  const eventsOfJobs = async () =>
    (await on.waybill.log()).flatMap(({ type }) => (type.startsWith('Job') ? type : []));
  const balance = async () => (await on.call('GET', '/v1/credits')).body.balance;

  beforeEach(async () => {
    await on.call('GET', '/v1/notifications/events?refresh=true');
  });

  it('checks every row, sends those that can be sent once, and adds up with the ledger', async () => {
    const rows = [row(1, { ref: 'A' }), row(2), row(1), row(3, { awbCode: ' ' }), { phone: '12' }];
    const job = await ready(await make(rows, { name: 'Autumn' }));
    expect(job.plan).to.deep.include({ rows: 5, good: 2, bad: 2, duplicates: 1, amount: 2 });
    expect(job.plan.totals).to.deep.equal([
      { category: 'UTILITY', market: 'India', count: 2, unitPrice: '0.00168', amount: 2 },
    ]);
    expect(job.counts.waiting).to.equal(2);
    expect(await balance()).to.equal(10);
    const { bodies } = providerAccepts(on.tenant, 2);
    expect((await start(job.id)).body.state).to.equal('queued');
    const done = await until(job.id, 'done');
    expect(bodies.map(({ to }) => to)).to.have.members([phone(1), phone(2)]);
    expect(done).to.deep.include({ amount: 2, reason: null });
    expect(done.counts).to.include({ waiting: 0, sent: 2, refused: 0 });
    expect(await balance()).to.equal(8);
    const all = await rowsOf(job.id);
    const states = all.map(({ state }) => state);
    expect(states).to.deep.equal(['sent', 'sent', 'duplicate', 'bad', 'bad']);
    expect(all[0].metaMessageId).to.match(/^wamid/);
    expect(all[2].error).to.equal('has the recipient of row 1');
    expect(all[3].error).to.include('variables.awbCode: must be a text or a number, not blank');
    expect(await rowsOf(job.id, '?state=bad&limit=1')).to.have.length(1);
    expect((await start(job.id)).body.code).to.equal('JOB_STATE');
  });

  it('takes CSV and JSON Lines, and gives results that are safe in spreadsheets', async () => {
    const csv = await ready(await upload(HEAD + line(phone(1), '=cmd()') + line('nobody')));
    expect(csv.plan).to.include({ rows: 2, good: 1, bad: 1 });
    const { body } = await call('GET', `/${csv.id}/result`);
    expect(body).to.include(`1,waiting,${phone(1)},'=cmd(),,,\r\n`);
    expect(body).to.include('2,bad,,,,,"to: is no possible telephone number');
    const jsonl = `${JSON.stringify(row(1))}\n${JSON.stringify(row(2))}`;
    expect((await ready(await upload(jsonl, 'rows.jsonl'))).plan.good).to.equal(2);
  });

  const manyRows = (count: number, more = '') =>
    HEAD +
    Array.from({ length: count }, (_, at) => `+9198123${10_000 + at},,A,B${more},C\n`).join('');
  for (const [what, file, status, code] of [
    ['too many bytes', manyRows(135, 'x'.repeat(15_000)), 413, undefined],
    ['too many rows', manyRows(ROWS_MAX + 1), 400, 'JOB_UNUSABLE'],
  ] as const) {
    it(`freezes nothing of a file of ${what}, and destroys what it has read of it`, async () => {
      const before = (await eventsOfJobs()).length;
      const { body: refused } = await answered(status, upload(file));
      expect(refused.code).to.equal(code);
      let job: Json;
      // A refusal does not wait until the list shows what it left.
      await untilTrue('the job is listed', async () => {
        [job] = (await call('GET', '')).body.jobs;
        return job?.state === 'unusable';
      });
      expect(job).to.include({ plan: null, reason: refused.error });
      const types = (await eventsOfJobs()).slice(before);
      expect(types[0]).to.equal('JobCreated');
      expect(types.slice(-2)).to.deep.equal(['JobUnusable', 'JobFileDestroyed']);
      expect(types).to.not.include('JobChecked');
      await untilTrue('its rows name nobody', async () => {
        const { body } = await call('GET', `/${job.id}/result?format=jsonl`);
        return !body.includes('98123');
      });
      await answered(status, upload(file, 'rows.csv', { spec: { ...SPEC, dryRun: true } }));
      expect(await eventsOfJobs()).to.have.length(before + types.length);
    });
  }

  it('tells in a dry run what a job would be, and makes none', async () => {
    const file = HEAD + line(phone(1)) + line('nobody') + line(phone(2)) + line(phone(1));
    const before = await eventsOfJobs();
    const spec = { ...SPEC, dryRun: true };
    const { body: dry } = await answered(200, upload(file, 'rows.csv', { spec }));
    const { body: asJson } = await answered(200, make([row(1), row(2)], { dryRun: true }));
    expect(dry.plan).to.deep.include({ rows: 4, good: 2, bad: 1, duplicates: 1, amount: 2 });
    const [bad, duplicate, ...others] = dry.rows;
    expect(others).to.deep.equal([]);
    expect(bad).to.include({ row: 2, state: 'bad' });
    const error = 'has the recipient of row 1';
    expect(duplicate).to.deep.equal({ row: 4, state: 'duplicate', error });
    expect(await eventsOfJobs()).to.deep.equal(before);
    const { plan } = await ready(await upload(file));
    expect({ ...plan, finishesAt: dry.plan.finishesAt }).to.deep.equal(dry.plan);
    const two = { ...asJson.plan, totals: plan.totals, rows: 2, good: 2, amount: 2 };
    expect(asJson).to.deep.equal({ plan: two, rows: [] });
  });

  describe('made under an Idempotency-Key', () => {
    const key = 'autumn';
    const file = HEAD + line(phone(1)) + line(phone(2));
    const jobsNow = async () =>
      ((await call('GET', '')).body.jobs as Json[]).map(({ id, state }) => [id, state]);

    it('answers a repeated form with its job, and refuses another one', async () => {
      const first = await upload(file, 'rows.csv', { key });
      const { id } = await ready(first);
      const again = await upload(file, 'other.csv', { key });
      expect([again.status, again.body]).to.deep.equal([201, first.body]);
      expect(again.headers['idempotency-replayed']).to.equal('true');
      for (const other of [
        await upload(`${file}${line(phone(3))}`, 'rows.csv', { key }),
        await upload(file, 'rows.csv', { key, spec: { ...SPEC, perSecond: 1 } }),
        await on.call('POST', '/v1/jobs', { ...SPEC, rows: [row(1)] }, { 'idempotency-key': key }),
      ]) {
        expect(other.body.code).to.equal('IDEMPOTENCY_MISMATCH');
      }
      expect(await jobsNow()).to.deep.equal([[id, 'ready']]);
      expect((await ready(await upload(file, 'rows.csv', { key: 'winter' }))).id).to.not.equal(id);
    });

    it('makes one after a file of no use', async () => {
      expect((await upload(HEAD, 'rows.csv', { key })).body.code).to.equal('JOB_UNUSABLE');
      const { id } = await ready(await upload(file, 'rows.csv', { key }));
      expect(await jobsNow()).to.deep.equal([[id, 'ready']]);
    });

    it('retries under one key as one job', async () => {
      const { id } = await ready(await upload(HEAD + line(phone(1))));
      providerRefuses(on.tenant);
      await run(id);
      const retry = () =>
        on.call('POST', `/v1/jobs/${id}/retry`, undefined, { 'idempotency-key': key });
      const again = await ready(await retry());
      expect((await retry()).body.id).to.equal(again.id);
      expect(await jobsNow()).to.have.length(2);
    });
  });

  it('refuses what the event does not know', async () => {
    const wrong = await make([row(1)], { columns: { ...columns, variables: { otp: 'x' } } });
    expect(fieldErrorsOf(wrong)).to.deep.equal(['columns']);
    const { body } = await make([row(1)], { event: 'order_shiped' });
    expect(body.didYouMean).to.equal('order_shipped');
  });

  it('pauses when the balance ends, goes on after a top-up, and takes no row twice', async () => {
    on.tenant = await openTenant(on.waybill, { credits: 2, templates: ['order_shipped'] });
    const job = await ready(await make([1, 2, 3, 4].map((digit) => row(digit))));
    const { bodies } = providerAccepts(on.tenant, 4);
    const paused = await run(job.id, 'paused');
    expect(paused.reason).to.equal('INSUFFICIENT_CREDITS');
    expect(paused.counts).to.include({ waiting: 2, sent: 2 });
    await on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/credits/grant`, { amount: 5 });
    await answered(200, call('POST', `/${job.id}/resume`));
    expect((await until(job.id, 'done')).counts).to.include({ waiting: 0, sent: 4 });
    expect(new Set(bodies.map(({ to }) => to)).size).to.equal(4);
    expect(await balance()).to.equal(3);
  });

  it('never takes more than maxAmount', async () => {
    const rows = [1, 2, 3].map((digit) => row(digit));
    const small = await ready(await make(rows, { maxAmount: 2 }));
    expect((await start(small.id)).body.error).to.include('more than `maxAmount`');
    const job = await ready(await make(rows, { maxAmount: 3 }));
    const terms = { name: 'P', billing: 'credits', currency: 'USD', markupPercent: '0' };
    const plan = await on.waybill.admin('POST', '/plans', { ...terms, creditValue: '0.001' });
    const path = `/accounts/${on.tenant.accountId}/plan`;
    await on.waybill.admin('PUT', path, { planId: plan.body.id });
    providerAccepts(on.tenant);
    expect(await run(job.id, 'paused')).to.include({ reason: 'MAX_AMOUNT', amount: 2 });
    expect(await balance()).to.equal(8);
  });

  it('retries what failed as a new job', async () => {
    const job = await ready(await make([row(1), row(2)], { perSecond: 20 }));
    providerRefuses(on.tenant);
    providerAccepts(on.tenant, 1);
    expect((await run(job.id)).counts).to.include({ sent: 1, refused: 1 });
    const [refused] = await rowsOf(job.id, '?state=refused');
    expect(refused.error).to.equal('SEND_FAILED');
    const again = await ready(await call('POST', `/${job.id}/retry`));
    expect(again).to.include({ retryOf: job.id });
    expect(again.plan).to.include({ rows: 1, good: 1 });
    await answered(409, call('POST', `/${again.id}/retry`));
  });

  it('shows which row is being sent, and what became of others of its part', async () => {
    const job = await ready(await make([row(1), row(2)]));
    const gate = Promise.withResolvers<void>();
    nextMessage(on.tenant).reply(400, async () => {
      await gate.promise;
      return { error: { message: 'Message undeliverable', code: 131026 } };
    });
    providerAccepts(on.tenant, 1);
    await start(job.id);
    const statesNow = async () => (await rowsOf(job.id)).map(({ state }) => state).sort();
    await untilTrue('one is sent, and one is being sent', async () => {
      return String(await statesNow()) === 'sending,sent';
    });
    const [sending] = await rowsOf(job.id, '?state=sending');
    expect(sending).to.deep.include({ metaMessageId: null, error: null });
    const [sent] = await rowsOf(job.id, '?state=sent');
    expect(sent.metaMessageId).to.match(/^wamid/);
    expect(sent.chargeId).to.not.equal(sending.chargeId);
    const counts = { waiting: 1, sent: 1, delivered: 0, read: 0, failed: 0, refused: 0 };
    expect((await read(job.id)).counts).to.deep.equal(counts);
    const status = { id: sent.metaMessageId, status: 'delivered' };
    await on.waybill.webhook(statusPayload(on.tenant, status));
    expect((await read(job.id)).counts).to.deep.equal({ ...counts, sent: 0, delivered: 1 });
    gate.resolve();
    const { counts: last } = await until(job.id, 'done');
    expect(last).to.deep.equal({ ...counts, waiting: 0, sent: 0, delivered: 1, refused: 1 });
    expect(await statesNow()).to.deep.equal(['delivered', 'refused']);
  });

  it('counts a row of unknown outcome once, whatever a status proves later', async () => {
    const job = await ready(await make([row(1)]));
    providerBreaks(on.tenant);
    const { counts } = await run(job.id);
    expect(counts).to.include({ waiting: 0, refused: 1 });
    expect((await rowsOf(job.id))[0]).to.include({ state: 'refused', error: 'OUTCOME_UNKNOWN' });
    const [{ id: chargeId, to: recipient }] = (await on.call('GET', '/v1/sends')).body.sends;
    const proof = { id: 'wamid.PROVEN', status: 'delivered', chargeId, recipient };
    await on.waybill.webhook(statusPayload(on.tenant, proof));
    await untilTrue('its record', async () => (await read(job.id)).counts.delivered === 1);
    expect((await read(job.id)).counts).to.deep.equal({ ...counts, delivered: 1, refused: 0 });
    const [shown] = await rowsOf(job.id);
    const delivered = { state: 'delivered', error: null, metaMessageId: proof.id, chargeId };
    expect(shown).to.include(delivered);
    // It went out: there is nothing to send again.
    await answered(409, call('POST', `/${job.id}/retry`));
  });

  it('goes at the pace of its number where that is below its own, and is cancelled for good', async () => {
    on.tenant = await openTenant(on.waybill, { messagesPerSecond: 2 });
    const { id, plan } = await ready(await make([row(1)], { perSecond: 100 }));
    expect(Date.parse(plan.finishesAt) - on.waybill.clock.now()).to.equal(500);
    await refusedWith(409, 'JOB_STATE', call('POST', `/${id}/pause`));
    expect((await bodyOf(200, call('POST', `/${id}/cancel`))).state).to.equal('cancelled');
    await answered(409, start(id));
  });

  it('sends nothing before `sendAt`, and holds up no other job until then', async () => {
    const sendAt = new Date(on.waybill.clock.now() + 3_600_000).toISOString();
    const past = await make([row(1)], { sendAt: '2026-01-01T00:00:00Z' });
    expect(fieldErrorsOf(past)).to.deep.equal(['sendAt']);
    const later = await ready(await make([row(1)], { sendAt }));
    const now = await ready(await make([row(2)]));
    const { bodies } = providerAccepts(on.tenant, 2);
    for (const { id } of [later, now]) await start(id);
    await until(now.id, 'done');
    expect(await read(later.id)).to.include({ state: 'queued', sendAt });
    on.waybill.clock.advance(3_600_000);
    await until(later.id, 'done');
    expect(bodies.map(({ to }) => to)).to.deep.equal([phone(2), phone(1)]);
    on.waybill.clock.advance(-3_600_000);
  });

  it('sends each row in the hours of its recipient: those of others do not wait for it', async () => {
    // It is noon: 13:00 in Germany, and 17:30 in India.
    const deliverBetween = { from: '09:00', until: '17:00' };
    const german = '+4915112345678';
    const rows = [row(1), row(2, { phone: german })];
    const job = await ready(await make(rows, { deliverBetween }));
    const { bodies } = providerAccepts(on.tenant, 2);
    await start(job.id);
    await untilTrue('the open one is sent', async () => (await read(job.id)).counts.sent === 1);
    expect(bodies.map(({ to }) => to)).to.deep.equal([german]);
    expect(await read(job.id)).to.include({ state: 'running' });
    on.waybill.clock.advance(15.5 * 3_600_000);
    await until(job.id, 'done');
    expect(bodies.map(({ to }) => to)).to.deep.equal([german, phone(1)]);
    on.waybill.clock.advance(-15.5 * 3_600_000);
  });

  it('keeps the quiet hours of its account', async () => {
    const quietHours = { UTILITY: { from: '17:00', until: '18:00' } };
    await on.waybill.admin('PATCH', `/accounts/${on.tenant.accountId}/limits`, { quietHours });
    const job = await ready(await make([row(1)]));
    const { bodies } = providerAccepts(on.tenant, 1);
    await run(job.id, 'running');
    const other = await ready(await make([row(2)], { name: 'looked at after it' }));
    await run(other.id, 'running');
    expect(bodies).to.deep.equal([]);
    await call('POST', `/${other.id}/cancel`);
    on.waybill.clock.advance(1_800_000);
    await until(job.id, 'done');
    on.waybill.clock.advance(-1_800_000);
  });

  it('lists the jobs of an account page by page, for its operators as for itself', async () => {
    const { id: older } = await ready(await make([row(1)]));
    const { id: newer } = await ready(await make([row(2)]));
    const { body: first } = await call('GET', '?limit=1');
    expect(first.jobs.map(({ id }: Json) => id)).to.deep.equal([newer]);
    const query = `?limit=1&cursor=${first.nextCursor}`;
    const { body: last } = await call('GET', query);
    expect(last.jobs.map(({ id }: Json) => id)).to.deep.equal([older]);
    expect(last.nextCursor).to.equal(null);
    const path = `/accounts/${on.tenant.accountId}/jobs${query}`;
    expect((await on.waybill.admin('GET', path)).body).to.deep.equal(last);
  });

  it('takes the rows of an erased contact out of what waits', async () => {
    const job = await ready(await make([row(1), row(2)]));
    await eraseContact(on.waybill, phone(1), on.tenant.accountId);
    const { bodies } = providerAccepts(on.tenant, 1);
    expect((await run(job.id)).counts).to.include({ sent: 1, refused: 1 });
    expect(bodies.map(({ to }) => to)).to.deep.equal([phone(2)]);
    const { body } = await call('GET', `/${job.id}/result?format=jsonl`);
    expect(body).to.include('"to":null').and.not.to.include(phone(1));
  });
});
