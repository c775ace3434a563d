import { expect } from 'chai';
import nock from 'nock';
import { ProviderUnreachable } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { GRAPH, useGraphProvider } from './stage.ts';

const EDGE = '/v25.0/200000000000002/message_templates';

const draft = {
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hi {{1}}!', example: { body_text: [['Mia']] } }],
};
const ID = '3000000000000003';
const stored = (change: object = {}) => ({ ...draft, id: ID, status: 'APPROVED', ...change });

describe('GraphProvider and templates', () => {
  const provider = useGraphProvider();

  const replyList = (data: object[], paging: object = {}) =>
    nock(GRAPH).get(EDGE).query(true).reply(200, { data, paging });
  const replyCreate = (status: number, body: nock.Body) =>
    nock(GRAPH).post(EDGE).reply(status, body);

  it('keeps an id that is a large number', async () => {
    const text = JSON.stringify({ data: [stored({ id: 9 })] });
    const large = text.replace('"id":9', '"id":30000000000000003');
    nock(GRAPH).get(EDGE).query(true).reply(200, large);
    const [template] = await provider.listTemplates(sender());
    expect(template?.metaTemplateId).to.equal('30000000000000003');
  });

  describe('submitting', () => {
    const submit = () => provider.submitTemplate(sender(), draft);

    it('recognises a template that exists already', async () => {
      replyCreate(400, { error: { code: 100, error_subcode: 2388024 } });
      expect(await submit()).to.deep.equal({ kind: 'exists' });
    });

    it('reports the refusal of a template', async () => {
      const told = { message: 'Invalid parameter', error_user_msg: 'Bad body' };
      replyCreate(400, { error: { ...told, code: 100, error_subcode: 2388072 } });
      const refusal = { code: 100, subcode: 2388072, message: 'Bad body', httpStatus: 400, told };
      expect(await submit()).to.deep.equal({ kind: 'refused', refusal });
    });

    for (const [what, status, code, subcode] of [
      ['a dead token', 401, 190, 463],
      ['a missing permission', 403, 200, undefined],
      ['an unknown business account', 400, 100, 33],
      ['a locked account', 403, 131031, undefined],
    ] as const) {
      it(`tells ${what} from that`, async () => {
        replyCreate(status, { error: { message: 'no', code, error_subcode: subcode } });
        expect((await submit()).kind).to.equal('forbidden');
      });
    }

    const doubtful: [string, number, nock.Body][] = [
      ['code 1, subcode 99', 400, { error: { message: 'unknown', code: 1, error_subcode: 99 } }],
      ['an answer without an id', 200, { success: true }],
      ['a server error', 503, ''],
    ];
    for (const [what, status, body] of doubtful) {
      it(`looks for the template after ${what}, and finds it`, async () => {
        replyCreate(status, body);
        replyList([stored({ id: '8', status: 'PENDING' })]);
        expect(await submit()).to.deep.include({ kind: 'submitted', metaTemplateId: '8' });
      });

      it(`looks for the template after ${what}, and does not find it`, async () => {
        replyCreate(status, body);
        replyList([stored({ id: '8', language: 'de' })]);
        expect((await submit()).kind).to.equal('refused');
      });
    }

    it('looks for the template after a broken connection', async () => {
      const breakOnce = () =>
        nock(GRAPH)
          .post(EDGE)
          .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }));
      breakOnce();
      replyList([stored()]);
      expect(await submit()).to.deep.equal({ kind: 'exists', perhapsByThisCall: true });
      breakOnce();
      replyList([]);
      expect(await failureOf(submit())).to.be.instanceOf(ProviderUnreachable);
    });
  });

  describe('editing', () => {
    const edit = () => provider.editTemplate(sender(), ID, draft.components);
    const replyEdit = (status: number, body: nock.Body) =>
      nock(GRAPH).post(`/v25.0/${ID}`, { components: draft.components }).reply(status, body);

    it('reports the new state of the template', async () => {
      replyEdit(200, { success: true });
      const pending = stored({ status: 'PENDING' });
      nock(GRAPH).get(`/v25.0/${ID}`).query(true).reply(200, pending);
      expect(await edit()).to.deep.equal({
        kind: 'submitted',
        metaTemplateId: ID,
        status: 'PENDING',
        category: 'UTILITY',
        isNew: false,
      });
    });

    it('reports a refusal', async () => {
      replyEdit(400, { error: { message: 'too often', code: 100 } });
      expect((await edit()).kind).to.equal('refused');
      replyEdit(401, { error: { message: 'expired', code: 190 } });
      expect((await edit()).kind).to.equal('forbidden');
    });
  });
});
