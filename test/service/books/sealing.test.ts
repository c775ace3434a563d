import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCosigner, isSignedBy, parseVerifierKey } from '../../../src/audit/seals/note.ts';
import { readSealsText } from '../../../src/audit/seals/seals-file.ts';
import { parsePolicy } from '../../../src/audit/witness/policy.ts';
import { openWitness } from '../../../src/audit/witness/server.ts';
import { fixedClock } from '../../support/ambient.ts';
import { type Callee, startCallee } from '../../support/callee.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { until, untilTrue } from '../../support/until.ts';
import { type Json, openTenant, startWaybill, type Waybill } from '../../support/waybill.ts';

const DAY_MS = 86_400_000;
const sealing = { firstMs: 0, everyMs: 5, retry: { minMs: 5, maxMs: 20 } };

describe('the duty of sealing @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const clock = fixedClock();
  const file = join(folder.path, 'seals.txt');
  const lines: Json[] = [];
  let waybill: Waybill;
  let places: Callee;
  const posted: { note: string; key: string }[] = [];
  let status = 200;

  const start = async () => {
    waybill = await startWaybill({
      directory: folder.path,
      clock,
      bounds: { sealing },
      forwardAllow: ['127.0.0.1'],
      seals: { key: null, file, url: `${places.url}/seals` },
      logLines: lines,
    });
  };
  before(async () => {
    places = await startCallee();
    places.answer((response, { body: note, headers }) => {
      if (status < 300) posted.push({ note, key: String(headers['idempotency-key']) });
      response.writeHead(status).end('x'.repeat(100_000));
    });
    await start();
    await openTenant(waybill, { number: false });
  });
  after(async () => {
    await waybill.stop();
    await places.close();
    folder.remove();
  });

  const kept = () => readSealsText(readFileSync(file, 'utf8'));
  const countIn = () => kept().length;
  const isDelivered = (number: number) =>
    untilTrue(`seal ${number} is delivered`, async () => {
      const { delivered } = (await waybill.admin('GET', '/ledger/seals')).body;
      return delivered.file === number && delivered.url === number;
    });
  const ready = async () => {
    const answer = await waybill.call('GET', '/../health/ready', {});
    return answer.body.checks.seals;
  };

  it('seals when it starts and once on each UTC day, and delivers each seal once', async () => {
    await isDelivered(1);
    clock.advance(DAY_MS / 4);
    await waybill.settled();
    clock.advance(DAY_MS);
    await isDelivered(2);
    expect(countIn()).to.equal(2);
    const [first] = kept();
    const { seals } = (await waybill.admin('GET', '/ledger/seals')).body;
    const [at, next] = seals.map((seal: { at: string }) => Date.parse(seal.at));
    expect(next - at).to.equal(1.25 * DAY_MS);
    expect(posted.map(({ note }) => note)).to.deep.equal(kept().map(({ note }) => note));
    expect(posted.map(({ key }) => key)).to.deep.equal([
      `${first!.origin}/seal/1`,
      `${first!.origin}/seal/2`,
    ]);
  });

  it('tries again while a place fails, says so, and loses nothing', async () => {
    status = 500;
    clock.advance(DAY_MS);
    await untilTrue('it fails', async () => (await ready()).detail.failing.url !== undefined);
    expect((await ready()).ok).to.equal(true);
    expect((await ready()).detail.failing.url).to.equal('the answer was 500');
    clock.advance(DAY_MS);
    await until('the file has the next seals', () => countIn() === 4);
    expect(posted).to.have.length(2);
    const metrics = await waybill.call('GET', '/../metrics', {});
    expect(metrics.body).to.match(/waybill_seals_waiting\{place="url"\} 2/);
    expect(metrics.body).to.match(/waybill_seal_failures_total\{step="url"\} [1-9]/);
    status = 200;
    await isDelivered(4);
    expect(posted.map(({ note }) => note)).to.deep.equal(kept().map(({ note }) => note));
    const warnings = lines.filter(({ step }) => step === 'url');
    expect(warnings).to.have.length(1);
  });

  it('goes on after a restart, and completes a note that was cut', async () => {
    await waybill.stop();
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, -100));
    clock.advance(DAY_MS);
    await start();
    await isDelivered(5);
    expect(readFileSync(file, 'utf8').startsWith(whole)).to.equal(true);
    expect(countIn()).to.equal(5);
    expect(posted).to.have.length(5);
  });

  it('fills a new file with all seals', async () => {
    rmSync(file);
    clock.advance(DAY_MS);
    await isDelivered(6);
    expect(countIn()).to.equal(6);
    // Nothing has come since the second: size and root stay.
    const later = kept().slice(1);
    expect(new Set(later.map(({ note }) => note)).size).to.equal(1);
  });

  it('touches no file that has other seals than the log', async () => {
    await waybill.stop();
    const other = readFileSync(file, 'utf8').replace(
      /\n[\w+/]{43}=\n(?![\s\S]*\n[\w+/]{43}=\n)/,
      `\n${'A'.repeat(43)}=\n`,
    );
    writeFileSync(file, other);
    clock.advance(DAY_MS);
    await start();
    await untilTrue('it fails', async () => (await ready()).detail.failing.file !== undefined);
    expect((await ready()).detail.failing.file).to.match(
      /holds another seal of \d+ entries than the log/,
    );
    expect(statSync(file).size).to.equal(Buffer.byteLength(other));
    await until('the other place has it', () => posted.length === 7);
  });
});

describe('seals of a service with a witness @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const clock = fixedClock();
  let waybill: Waybill;
  let server: Callee;
  let isAway = true;
  let witness: ReturnType<typeof openWitness>;
  const cosigner = createCosigner('witness.example/w1', Buffer.alloc(32, 6));
  before(async () => {
    // The key of the log is known once it is founded: the witness learns it then.
    server = await startCallee();
    server.answer((response, call) => {
      if (isAway) return void response.writeHead(503).end();
      const { status, body } = witness.add(call.body);
      response.writeHead(status).end(body);
    });
    writeFileSync(
      join(folder.path, 'witness.json'),
      JSON.stringify({ name: 'witness.example/w1', seed: Buffer.alloc(32, 6).toString('hex') }),
    );
    waybill = await startWaybill({
      clock,
      bounds: { sealing },
      forwardAllow: ['127.0.0.1'],
      seals: { key: null, file: null, url: null },
      witnesses: parsePolicy(`witness w ${cosigner.verifierKey} ${server.url}/\nquorum w\n`),
    });
    await openTenant(waybill, { number: false });
    const { key } = (await waybill.admin('GET', '/ledger/seals')).body;
    witness = openWitness({ folder: folder.path, logs: [parseVerifierKey(key)], clock });
  });
  after(async () => {
    await waybill.stop();
    await server.close();
    folder.remove();
  });

  const checkpoint = async () => (await fetch(`${waybill.url}/transparency/checkpoint`)).text();
  const isSigned = async () =>
    isSignedBy(await checkpoint(), [parseVerifierKey(cosigner.verifierKey)]);

  it('have its signature, also where it was away when they were made', async () => {
    await untilTrue('it is sealed without the witness', async () => {
      const { detail } = (await waybill.call('GET', '/../health/ready', {})).body.checks.seals;
      return detail.failing.witness === 'w: the answer was 503: ';
    });
    expect(await isSigned()).to.equal(false);
    isAway = false;
    await untilTrue('the witness has signed', isSigned);
    const { size } = (await waybill.admin('POST', '/ledger/seals')).body;
    expect(await isSigned()).to.equal(true);
    expect((await checkpoint()).split('\n')[1]).to.equal(String(size));
    const { detail } = (await waybill.call('GET', '/../health/ready', {})).body.checks.seals;
    expect(detail.failing).to.deep.equal({});
  });
});
