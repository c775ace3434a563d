import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSealsText } from '../../../src/audit/seals/seals-file.ts';
import { fixedClock } from '../../support/ambient.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { foundInstallation } from '../../support/sealed-books.ts';
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
  let places: Server;
  const posted: { note: string; key: string }[] = [];
  let status = 200;

  const start = async () => {
    const { port } = places.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/seals`;
    waybill = await startWaybill({
      directory: folder.path,
      clock,
      bounds: { sealing },
      forwardAllow: ['127.0.0.1'],
      seals: { key: null, file, url },
      logLines: lines,
    });
  };
  before(async () => {
    places = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const note = Buffer.concat(chunks).toString();
      if (status < 300) posted.push({ note, key: String(request.headers['idempotency-key']) });
      response.writeHead(status).end('x'.repeat(100_000));
    });
    await new Promise<void>((resolve) => places.listen(0, '127.0.0.1', resolve));
    await start();
    await foundInstallation(waybill);
    await openTenant(waybill, { number: false });
  });
  after(async () => {
    await waybill.stop();
    places.close();
    folder.remove();
  });

  const kept = () => readSealsText(readFileSync(file, 'utf8'));
  const countIn = () => kept().length;
  const delivered = async () =>
    (await waybill.admin('GET', '/ledger/seals')).body.delivered as { file: number; url: number };
  const isDelivered = (number: number) =>
    untilTrue(`seal ${number} is delivered`, async () => {
      const { file: inFile, url } = await delivered();
      return inFile === number && url === number;
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
    expect(
      new Set(
        kept()
          .slice(1)
          .map(({ note }) => note),
      ).size,
    ).to.equal(1);
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
