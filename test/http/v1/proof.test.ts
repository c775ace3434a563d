import { expect } from 'chai';
import { statementInExport } from '../../../src/audit/export-books.ts';
import { verifyExport } from '../../../src/audit/export-file.ts';
import { base64, leafHash, rootOf } from '../../../src/audit/seals/merkle.ts';
import { isSignedBy, parseVerifierKey, type VerifierKey } from '../../../src/audit/seals/note.ts';
import { checkHead, checkProof } from '../../../src/audit/seals/proof.ts';
import { parseSeal } from '../../../src/audit/seals/read-seals.ts';
import { parseTlogProof } from '../../../src/audit/seals/tlog-proof.ts';
import { statementJson } from '../../../src/audit/statement-formats.ts';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { fillMonths } from '../../support/month.ts';
import { notified, useTenant } from '../../support/surface.ts';
import { openTenant } from '../../support/waybill.ts';

describe('seals and proofs', () => {
  const on = useTenant(
    { templates: ['order_shipped'], credits: 100 },
    { seals: { key: Buffer.alloc(32, 5), file: null, url: null } },
  );
  let keys: VerifierKey[];

  const send = async (): Promise<string> => {
    await notified(on.waybill, on.tenant);
    const { body: credits } = await on.call('GET', '/v1/credits');
    return JSON.parse(credits.transactions[0].metadata).chargeId;
  };
  const proofOf = (chargeId: string, token = on.tenant.apiKey) =>
    on.waybill.call('GET', `/v1/credits/proof?chargeId=${chargeId}`, { token });
  const seal = () => on.waybill.admin('POST', '/ledger/seals');

  before(async () => {
    keys = [parseVerifierKey((await on.waybill.admin('GET', '/ledger/seals')).body.key)];
  });

  it('a charge has its proof after the next seal, and until then 404 with the time to wait', async () => {
    const chargeId = await send();
    const early = await refusedWith(404, 'NOT_SEALED_YET', proofOf(chargeId));
    expect(early.body.error).to.equal('The charge is not sealed yet');
    // It is noon: half a day to the next seal.
    expect(Number(early.headers['retry-after'])).to.equal(12 * 3600 + 120);
    const sealed = await answered(201, seal());
    const { body: proof } = await answered(200, proofOf(chargeId));
    expect(proof).to.have.all.keys('link', 'index', 'size', 'path', 'note');
    expect(proof.note).to.equal(sealed.body.note);
    const { problems, charge } = checkProof(proof, keys);
    expect(problems).to.deep.equal([]);
    expect(charge!.data).to.include({ chargeId, amount: -1, accountId: on.tenant.accountId });
    // A later seal changes nothing.
    await send();
    await seal();
    expect((await proofOf(chargeId)).body).to.deep.equal(proof);
  });

  it('a proof is a C2SP tlog-proof where it is asked for', async () => {
    const chargeId = await send();
    await seal();
    const path = `/v1/credits/proof?chargeId=${chargeId}&format=tlog-proof`;
    const { body, headers } = await answered(200, on.call('GET', path));
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(parseTlogProof(body)).to.deep.equal((await proofOf(chargeId)).body);
  });

  it('anybody reads the log of entries, whose tiles make the proof and the root', async () => {
    const chargeId = await send();
    await seal();
    const { body: proof } = await proofOf(chargeId);
    const open = async (path: string) => {
      const answer = await fetch(`${on.waybill.url}/transparency/${path}`);
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const { answer, bytes } = await open('checkpoint');
    expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(isSignedBy(bytes.toString(), keys)).to.equal(true);
    const { size, root } = parseSeal(bytes.toString())!;
    expect(size).to.be.below(256);
    const bundle = await open(`tile/entries/000.p/${size}`);
    expect(bundle.bytes.length).to.equal(34 * size);
    const entries = Array.from({ length: size }, (_, index) =>
      bundle.bytes.subarray(34 * index + 2, 34 * (index + 1)),
    );
    expect(entries[proof.index]!.toString('hex')).to.equal(proof.link.hash);
    const tile = await open(`tile/0/000.p/${size}`);
    expect(tile.answer.headers.get('content-type')).to.equal('application/octet-stream');
    expect(tile.answer.headers.get('cache-control')).to.match(/immutable/);
    const leaves = entries.map((entry) => leafHash(entry));
    expect(tile.bytes).to.deep.equal(Buffer.concat(leaves));
    expect(base64(rootOf(leaves))).to.equal(root);
    const none = ['tile/0/000', `tile/0/000.p/${size + 1}`, 'tile/1/000.p/1'];
    for (const path of [...none, 'tile/0/0', 'tile/00/000']) {
      expect((await open(path)).answer.status, path).to.equal(404);
    }
  });

  it("others' charges and what is no charge are 404", async () => {
    const chargeId = await send();
    await seal();
    const other = await openTenant(on.waybill, { number: false });
    const unknown = { error: 'Charge not found' };
    for (const [id, token] of [
      [chargeId, other.apiKey],
      ['chg_0_0', on.tenant.apiKey],
      ['nothing', on.tenant.apiKey],
      [chargeId.replace(/[^_]+$/, '0'), on.tenant.apiKey],
    ] as const) {
      const { status, body } = await proofOf(id, token);
      expect({ status, body }, id).to.deep.equal({ status: 404, body: unknown });
    }
    expect((await proofOf('')).status).to.equal(400);
  });

  it('an administrator lists seals page by page, and gets proofs of charges and accounts', async () => {
    const chargeId = await send();
    await seal();
    const { body: all } = await on.waybill.admin('GET', '/ledger/seals?limit=100');
    expect(all.nextFrom).to.equal(null);
    expect(all.delivered).to.deep.equal({ file: 0, url: 0 });
    const numbers = all.seals.map(({ number }: { number: number }) => number);
    expect(numbers).to.deep.equal(numbers.map((_: number, index: number) => index + 1));
    for (const { note, size, root } of all.seals) {
      expect(parseSeal(note)).to.deep.include({ size, root });
    }
    const { body: page } = await on.waybill.admin('GET', '/ledger/seals?limit=1');
    expect(page.seals).to.deep.equal(all.seals.slice(0, 1));
    expect(page.nextFrom).to.equal(numbers.length > 1 ? 2 : null);
    const proof = (query: string) => on.waybill.admin('GET', `/ledger/proof?${query}`);
    const own = await proofOf(chargeId);
    expect((await proof(`chargeId=${chargeId}`)).body).to.deep.equal(own.body);
    const head = await proof(`accountId=${on.tenant.accountId}`);
    expect(checkHead(head.body, keys).problems).to.deep.equal([]);
    await answered(400, proof(''));
    await answered(404, proof('chargeId=chg_0_0'));
    const fresh = await openTenant(on.waybill, { credits: 0, number: false });
    await refusedWith(404, 'NOT_SEALED_YET', proof(`accountId=${fresh.accountId}`));
  });

  it('a verification compares the kept seals that it is given', async () => {
    await send();
    await seal();
    await on.waybill.settled();
    const { body } = await on.waybill.admin('GET', '/ledger/seals?limit=100');
    const seals = body.seals.map(({ note }: { note: string }) => `${note}\n`).join('');
    const verify = (more: object) => on.waybill.admin('POST', '/ledger/verify', more);
    const sound = await verify({ seals, keys: [body.key] });
    expect(sound.body).to.deep.include({ ok: true, problems: [] });
    expect(sound.body.seals).to.deep.include({ count: body.seals.length, signed: true });
    const wrong = await verify({ seals: seals.replace(/\n\d+\n/, '\n1\n') });
    expect(wrong.body.ok).to.equal(false);
    await answered(400, verify({ seals: 'anything' }));
    await answered(400, verify({ keys: ['anything'] }));
  });

  it('a month that is over and sealed has a file, which proves it without the service', async () => {
    const { accountId } = on.tenant;
    const fileOf = (month: string) => on.call('GET', `/v1/statement/proof?month=${month}`);
    await refusedWith(404, 'NOT_SEALED_YET', fileOf('2026-11'));
    await fillMonths(on.waybill, on.tenant);
    await answered(201, seal());
    const { headers, body: file } = await answered(200, fileOf('2026-11'));
    expect(headers['content-disposition']).to.include(`proof-${accountId}-2026-11-01.jsonl`);
    async function* linesOf(text: string) {
      yield* text.trimEnd().split('\n');
    }
    const { ok, problems, uncovered } = await verifyExport(linesOf(file), undefined, { keys });
    expect([ok, problems]).to.deep.equal([true, []]);
    expect(uncovered!.lines.map(({ what }) => what)).to.deep.equal([
      'the account before the first event',
      'names, issuers, values of credits and seals of statements',
    ]);
    const period = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' };
    const { statement } = await statementInExport(() => linesOf(file), period);
    const own = await bodyOf(200, on.call('GET', '/v1/statement?month=2026-11'));
    expect(own).to.include({ final: true, closing: 90 });
    expect(JSON.parse(JSON.stringify(statementJson(statement!, false)))).to.deep.equal(own);
    const changed = file.replace('"amount":100,', '"amount":101,');
    expect((await verifyExport(linesOf(changed), undefined, { keys })).ok).to.equal(false);
    // December has a movement, and an end to come.
    await refusedWith(404, 'NOT_SEALED_YET', fileOf('2026-12'));
    // The next month's file begins with the account as November left it.
    on.waybill.clock.advance(31 * 86_400_000);
    await answered(201, seal());
    const december = await fileOf('2026-12');
    const sound = await verifyExport(linesOf(december.body), undefined, { keys });
    expect([sound.ok, sound.problems]).to.deep.equal([true, []]);
    const [, start, ...events] = december.body.split('\n');
    expect(JSON.parse(start)).to.include({ start: true, balance: 90, accountId });
    const types = events.slice(0, -2).map((line: string) => JSON.parse(line).type);
    expect(types).to.include('ChargeReserved');
  });
});
