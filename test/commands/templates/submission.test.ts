import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import type { NumberRecord, TemplateRow } from '../../../src/commands/core/lookups.ts';
import { catalog, findEvent, templateComponents } from '../../../src/commands/sending/catalog.ts';
import { createMirror } from '../../../src/commands/templates/mirror.ts';
import { createSubmissions } from '../../../src/commands/templates/submission.ts';
import {
  type ProviderTemplate,
  ProviderUnreachable,
  type SubmitOutcome,
  type TemplateDraft,
} from '../../../src/provider/provider.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { secrets } from '../../support/message-refs.ts';
import { numberRecord } from '../../support/numbers.ts';
import { templateRow } from '../../support/samples.ts';
import { codeOf, failureOf } from '../../support/spec.ts';

const context = { requestId: 'r' };
const tokenless = numberRecord('9', { accessToken: null });
const shipped = findEvent('order_shipped') ?? expect.fail();
const stored = (change: Partial<ProviderTemplate> = {}): ProviderTemplate => {
  const { wabaId: _, accountId: __, ...seen } = templateRow();
  return { ...seen, components: [], ...change };
};
const submitted = (change: object = {}): SubmitOutcome => ({
  kind: 'submitted',
  metaTemplateId: '30',
  status: 'PENDING',
  category: 'UTILITY',
  isNew: true,
  ...change,
});
const refusal = { code: 100, subcode: null, message: 'Bad body', httpStatus: 400 };

interface Stage {
  /** What the provider says to a submission. */
  outcome?: SubmitOutcome | Error;
  /** What it has, or that it cannot be read. */
  shown?: ProviderTemplate[] | Error;
  edited?: SubmitOutcome;
  rows?: Partial<TemplateRow>[];
  numbers?: NumberRecord[];
}
const open = ({ edited, rows = [], numbers, ...says }: Stage = {}) => {
  let { outcome = submitted(), shown = [] } = says;
  const { store, events } = createMemoryLog();
  const clock = fixedClock();
  const writer = createWriter({ store, clock, ids: countedIds() });
  const asked: [what: string, detail: unknown][] = [];
  const provider = {
    async submitTemplate(_: unknown, draft: TemplateDraft) {
      asked.push(['submit', draft]);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    async listTemplates(_: unknown, name: string) {
      asked.push(['list', name]);
      if (shown instanceof Error) throw shown;
      return shown;
    },
    async editTemplate(_: unknown, id: string) {
      asked.push(['edit', id]);
      return edited;
    },
  } as never;
  const lookups = {
    numbers: async () => numbers ?? [numberRecord()],
    templates: async (_: string, name: string) =>
      rows.filter((row) => (row.name ?? 'order_shipped') === name) as TemplateRow[],
    allTemplates: async () => [],
  };
  const mirror = createMirror({ writer, provider, lookups, clock });
  const submissions = createSubmissions({ writer, provider, lookups, mirror, secrets, clock });
  const submit = (change: object = {}) =>
    submissions.submit(
      { accountId: 'acc_1', events: ['order_shipped'], onlyMissing: false, ...change },
      context,
    );
  const types = () => events.map(({ type }) => type);
  const say = (next: Required<Pick<Stage, 'outcome' | 'shown'>>) => {
    ({ outcome, shown } = next);
  };
  return { submissions, submit, asked, events, types, clock, say };
};
const shippedDraft = { name: 'order_shipped', language: 'en_US', category: 'UTILITY' };
const base = { event: 'order_shipped', templateName: 'order_shipped', category: 'UTILITY' };

describe('a submission of the catalog', () => {
  it('submits each event, in the catalog’s order, for the oldest number with a token', async () => {
    const numbers = [tokenless, numberRecord('10'), numberRecord('11')];
    const { submit, asked, types } = open({ numbers });
    const events = ['order_delivered', 'order_shipped'];
    const done = await submit({ events });
    expect(done.phoneNumberId).to.equal('10');
    const order = catalog.map(({ event }) => event).filter((event) => events.includes(event));
    expect(done.results.map(({ event }) => event)).to.deep.equal(order);
    const result = { ...base, state: 'submitted', status: 'PENDING', metaTemplateId: '30' };
    expect(done.results[order.indexOf('order_shipped')]).to.deep.equal(result);
    const drafts = asked.map(([, one]) => one as TemplateDraft);
    expect(drafts.find(({ name }) => name === base.event)).to.deep.equal({
      ...shippedDraft,
      components: templateComponents(shipped),
    });
    expect(types()).to.deep.equal(['TemplateSubmitted', 'TemplateSubmitted']);
    expect((await open().submit({ events: undefined })).results).to.have.length(18);
  });

  it('goes out from the number that is named, which must have a token', async () => {
    const numbers = [tokenless, numberRecord('10'), numberRecord('11')];
    expect((await open({ numbers }).submit({ phoneNumberId: '11' })).phoneNumberId).to.equal('11');
    const bare = open({ numbers }).submit({ phoneNumberId: '9' });
    expect(await codeOf(bare)).to.equal('number.no_token');
    const unknown = await failureOf(open({ numbers }).submit({ phoneNumberId: '8' }));
    expect(unknown.code).to.equal('number.unknown');
    const none = await failureOf(open({ numbers: [] }).submit());
    expect(none).to.include({ code: 'number.unknown' });
    expect(none.message).to.not.equal(unknown.message);
  });

  it('names 20 unknown events once each, cut to 100 characters', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `${index}`.padEnd(150, 'x'));
    const { submit, asked } = open();
    const error = await failureOf(submit({ events: ['order_shipped', ...many, ...many] }));
    expect(error.code).to.equal('events.unknown');
    const shown = many.slice(0, 20).map((event) => event.slice(0, 100));
    expect(error.message).to.equal(`Unknown events: ${shown.join(', ')}`);
    expect(asked).to.deep.equal([]);
  });

  it('leaves out what is there, where only missing ones are wanted', async () => {
    const row = { language: 'en_US', status: 'PENDING' as const, accountId: null };
    const count = async (rows: Partial<TemplateRow>[], onlyMissing = true) =>
      (await open({ rows }).submit({ onlyMissing })).results.length;
    expect(await count([row])).to.equal(0);
    expect(await count([row], false)).to.equal(1);
    expect(await count([])).to.equal(1);
    expect(await count([{ ...row, status: 'REJECTED' }])).to.equal(1);
    expect(await count([{ ...row, language: 'de' }])).to.equal(1);
    expect(await count([{ ...row, accountId: 'acc_2' }])).to.equal(1);
    expect(await count([{ ...row, accountId: 'acc_1' }])).to.equal(0);
    // As readiness has it: `en` serves where `en_US` does not.
    const english = { ...row, language: 'en', status: 'APPROVED' as const };
    expect(await count([english])).to.equal(0);
    expect(await count([english, { ...row, status: 'REJECTED' }])).to.equal(0);
  });

  it('adopts one that the provider has, and edits one that it rejected', async () => {
    const exists = { kind: 'exists' as const };
    const there = open({ outcome: exists, shown: [stored()] });
    expect((await there.submit()).results).to.deep.equal([{ ...base, state: 'already_exists' }]);
    expect(there.types()).to.deep.equal(['TemplateAdopted']);
    expect(there.asked.map(([what]) => what)).to.deep.equal(['submit', 'list']);
    const rejected = open({
      outcome: exists,
      shown: [stored({ language: 'de' }), stored({ status: 'REJECTED' })],
      edited: submitted({ isNew: false }),
    });
    const [again] = (await rejected.submit()).results;
    expect(again).to.include({ state: 'submitted', status: 'PENDING' });
    expect(rejected.asked.at(-1)).to.deep.equal(['edit', '30']);
    const elsewhere = open({ outcome: exists, shown: [stored({ language: 'de' })] });
    expect((await elsewhere.submit()).results[0]).to.include({ state: 'already_exists' });
    expect(elsewhere.types()).to.deep.equal([]);
  });

  it('leaves alone what another account wrote under the name', async () => {
    const { submissions, submit, asked, say, types } = open();
    const draft = { ...shippedDraft, components: [] };
    await submissions.create(numberRecord('12', { accountId: 'acc_2' }), draft, context);
    say({ outcome: { kind: 'exists' }, shown: [stored({ status: 'REJECTED' })] });
    const { results } = await submit();
    expect(results[0]).to.include({ ...base, state: 'failed' });
    expect(results[0]!.error).to.include('belongs to another account');
    say({ outcome: submitted({ isNew: false }), shown: [] });
    expect((await submit()).results[0]).to.include({ state: 'failed' });
    expect(asked.map(([what]) => what)).not.to.include('edit');
    expect(types().filter((type) => type === 'TemplateSubmitted')).to.have.length(1);
  });

  it('says what the provider refused, and ends where it refuses the account', async () => {
    const refused = await open({ outcome: { kind: 'refused', refusal } }).submit();
    expect(refused.results).to.deep.equal([{ ...base, state: 'failed', error: 'Bad body' }]);
    const error = await failureOf(open({ outcome: { kind: 'forbidden', refusal } }).submit());
    const message = 'The provider refused the submission: Bad body';
    expect(error).to.include({ code: 'template.refused', message });
  });
});

describe('a template of an account’s own', () => {
  const draft: TemplateDraft = {
    name: 'my_own',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY' }],
  };
  const create = ({ submissions }: ReturnType<typeof open>, accountId = 'acc_1') =>
    submissions.create(numberRecord('10', { accountId }), draft, context);
  const own = (change: Partial<ProviderTemplate> = {}) => stored({ name: 'my_own', ...change });

  it('is claimed before it is submitted, and the account’s by the answer', async () => {
    const stage = open();
    expect(await create(stage)).to.deep.equal({ id: '30', category: 'UTILITY', status: 'PENDING' });
    expect(stage.asked).to.deep.equal([
      ['list', 'my_own'],
      ['submit', draft],
    ]);
    expect(stage.types()).to.deep.equal(['TemplateClaimed', 'TemplateSubmitted']);
    expect(stage.events[0]!.data).to.include({ accountId: 'acc_1', wasAbsent: true });
    const { components } = draft;
    const submission = { accountId: 'acc_1', components, metaTemplateId: '30' };
    expect(stage.events[1]!.data).to.deep.include(submission);
  });

  it('is refused where the provider has one of its name and language, which is noted', async () => {
    const stage = open({ shown: [own({ language: 'de' }), own()] });
    const error = await failureOf(create(stage));
    expect(error.code).to.equal('template.refused');
    expect(error.message).to.include('exists already');
    expect(stage.types()).to.deep.equal(['TemplateAdopted']);
    expect(stage.asked.map(([what]) => what)).to.deep.equal(['list']);
    expect((await create(open({ shown: [own({ language: 'de' })] }))).id).to.equal('30');
  });

  it('is claimed as perhaps there where the provider cannot be read', async () => {
    const stage = open({ shown: new ProviderUnreachable('away') });
    expect((await create(stage)).id).to.equal('30');
    expect(stage.events[0]!.data).to.include({ wasAbsent: false });
    const broken = open({ shown: new Error('broken') });
    expect((await failureOf(create(broken))).message).to.equal('broken');
    expect(broken.types()).to.deep.equal([]);
  });

  it('is given free again where the provider refuses it or has it', async () => {
    for (const [outcome, words] of [
      [{ kind: 'refused', refusal }, 'Bad body'],
      [{ kind: 'forbidden', refusal }, 'Bad body'],
      [{ kind: 'exists' }, 'exists already'],
    ] as const) {
      const stage = open({ outcome });
      const error = await failureOf(create(stage));
      expect(error.message).to.include('Template submission failed').and.include(words);
      expect(error.cause).to.equal('refusal' in outcome ? outcome.refusal : undefined);
      expect(stage.types(), outcome.kind).to.deep.equal(['TemplateClaimed', 'TemplateReleased']);
      expect(stage.events[1]!.data).to.include({ accountId: 'acc_1' });
    }
  });

  it('stays claimed where nobody knows what came of it', async () => {
    const lost = open({ outcome: { kind: 'exists', perhapsByThisCall: true } });
    await failureOf(create(lost));
    expect(lost.types()).to.deep.equal(['TemplateClaimed']);
    const away = open({ outcome: new ProviderUnreachable('away') });
    const error = await failureOf(create(away));
    const message = 'Template submission failed: away';
    expect(error).to.include({ code: 'template.refused', message });
    expect(error.cause).to.be.instanceOf(ProviderUnreachable);
    expect(away.types()).to.deep.equal(['TemplateClaimed']);
    const broken = open({ outcome: new Error('broken') });
    expect((await failureOf(create(broken))).message).to.equal('broken');
  });

  it('is refused while another account submits one of its name', async () => {
    const stage = open({ outcome: { kind: 'exists', perhapsByThisCall: true } });
    await failureOf(create(stage, 'acc_2'));
    const asked = stage.asked.length;
    expect((await failureOf(create(stage))).message).to.include('exists already');
    expect(stage.asked.slice(asked).map(([what]) => what)).to.deep.equal(['list']);
    stage.clock.advance(15 * 60_000);
    await failureOf(create(stage));
    expect(stage.asked.at(-1)![0]).to.equal('submit');
  });
});
