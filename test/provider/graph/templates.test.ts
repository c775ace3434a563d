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
const stored = (change: object = {}) => ({
  id: '3000000000000003',
  name: 'order_ready',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: draft.components,
  ...change,
});
const shown = (change: object = {}) => ({
  metaTemplateId: '3000000000000003',
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  statusReason: null,
  components: draft.components,
  ...change,
});

describe('GraphProvider and templates', () => {
  const provider = useGraphProvider();

  const replyList = (data: object[], paging: object = {}) =>
    nock(GRAPH).get(EDGE).query(true).reply(200, { data, paging });
  const replyCreate = (status: number, body: nock.Body) =>
    nock(GRAPH).post(EDGE).reply(status, body);
  const list = (name?: string) => provider.listTemplates(sender(), name);

  describe('reading', () => {
    it('keeps an id that is a large number', async () => {
      nock(GRAPH)
        .get(EDGE)
        .query(true)
        .reply(
          200,
          '{"data":[{"id":30000000000000003,"name":"a","language":"en","status":"APPROVED"}]}',
        );
      expect((await list())[0]?.metaTemplateId).to.equal('30000000000000003');
    });

    const replyOne = (status: number, body: nock.Body) =>
      nock(GRAPH).get('/v25.0/3000000000000003').query(true).reply(status, body);
    const readOne = () => provider.readTemplate(sender(), '3000000000000003');

    it('reads one by its id', async () => {
      replyOne(200, stored({ status: 'REJECTED', rejected_reason: 'SCAM' }));
      replyList([stored()]);
      expect(await readOne()).to.deep.equal(shown({ status: 'REJECTED', statusReason: 'SCAM' }));
    });

    it('does not find an unknown id or another kind of object', async () => {
      replyOne(400, { error: { message: 'no', code: 100, error_subcode: 33 } });
      expect(await readOne()).to.equal(undefined);
      replyOne(200, { id: '3000000000000003', display_phone_number: '+1' });
      expect(await readOne()).to.equal(undefined);
    });
  });

  describe('submitting', () => {
    const submit = () => provider.submitTemplate(sender(), draft);

    it('recognises a template that exists already', async () => {
      replyCreate(400, {
        error: { message: 'Invalid parameter', code: 100, error_subcode: 2388024 },
      });
      expect(await submit()).to.deep.equal({ kind: 'exists' });
    });

    it('reports the refusal of a template', async () => {
      replyCreate(400, {
        error: {
          message: 'Invalid parameter',
          code: 100,
          error_subcode: 2388072,
          error_user_msg: 'Bad body',
        },
      });
      expect(await submit()).to.deep.equal({
        kind: 'refused',
        refusal: {
          code: 100,
          subcode: 2388072,
          message: 'Bad body',
          httpStatus: 400,
          told: { message: 'Invalid parameter', error_user_msg: 'Bad body' },
        },
      });
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
    const edit = () => provider.editTemplate(sender(), '3000000000000003', draft.components);
    const replyEdit = (status: number, body: nock.Body) =>
      nock(GRAPH)
        .post('/v25.0/3000000000000003', { components: draft.components })
        .reply(status, body);

    it('reports the new state of the template', async () => {
      replyEdit(200, { success: true });
      nock(GRAPH)
        .get('/v25.0/3000000000000003')
        .query(true)
        .reply(200, stored({ status: 'PENDING' }));
      expect(await edit()).to.deep.equal({
        kind: 'submitted',
        metaTemplateId: '3000000000000003',
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
