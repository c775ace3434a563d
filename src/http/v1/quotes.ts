import { z } from 'zod';
import type { Asked } from '../../commands/sending/quote.ts';
import {
  batchProblems,
  notificationProblems,
  type StrictProblem,
} from '../../commands/sending/strict.ts';
import { requireScope } from '../edge/admission.ts';
import { defineRoute } from '../route/route.ts';
import {
  addUnknown,
  createValidator,
  knownNamesOf,
  problemsOf,
  type UnknownName,
} from '../route/validation.ts';
import { JobBody, jobAsked } from './jobs.ts';
import { answerQuote, QuoteAnswer, type QuoteDeps } from './quote-answer.ts';
import { MessageBody, messageAsked, messageProblems } from './send-message.ts';
import { BatchBody, batchAsked, NotificationBody, notificationAsked } from './send-notification.ts';

interface Kind<Schema extends z.ZodType> {
  /** Scope of the send. */
  scope: string;
  /** Body of the send. */
  body: Schema;
  asked(body: z.output<Schema>): readonly Asked[];
  problems(body: z.output<Schema>, unknown: readonly StrictProblem[]): StrictProblem[];
}

/** A kind of send, which checks a request as the route of the send does. */
const kindOf = <Schema extends z.ZodType>({ scope, body, asked, problems }: Kind<Schema>) => {
  const validate = createValidator({ body });
  const known = knownNamesOf({ body }).body;
  return {
    scope,
    read(request: unknown) {
      const input = validate({ params: {}, query: undefined, headers: undefined, body: request });
      const parsed = input.body as z.output<Schema>;
      const unknown: UnknownName[] = [];
      if (known) addUnknown(unknown, 'field', request, known);
      return {
        strict: (parsed as { strict?: boolean }).strict,
        asked: asked(parsed),
        problems: () => problems(parsed, problemsOf(unknown)),
      };
    },
  };
};

const kinds = {
  notification: kindOf({
    scope: 'notifications:send',
    body: NotificationBody,
    asked: notificationAsked,
    problems: notificationProblems,
  }),
  message: kindOf({
    scope: 'messages:send',
    body: MessageBody,
    asked: messageAsked,
    problems: messageProblems,
  }),
  batch: kindOf({
    scope: 'notifications:send',
    body: BatchBody,
    asked: batchAsked,
    problems: batchProblems,
  }),
  job: kindOf({
    scope: 'notifications:send',
    body: JobBody,
    asked: jobAsked,
    problems: () => [],
  }),
};

const Body = z.object({
  kind: z
    .enum(['notification', 'message', 'batch', 'job'])
    .describe(
      'Which send is asked about: `POST /v1/notifications/send`, `/v1/messages/send`, `/v1/notifications/send/batch` or `/v1/jobs` with `rows`, whose good rows it adds up.',
    ),
  request: z.record(z.string(), z.unknown()).describe('The body of that send.'),
});

/** What a send would cost, and whether it would be refused. */
export const quotesRoute = (deps: QuoteDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/quotes',
    access: 'key',
    summary: 'Ask what a send would cost',
    description:
      'Decides a send as it would be decided now, and sends, stores and charges nothing. The provider is not asked. ' +
      'With the `quoteId` in the body the send costs exactly that, or is refused. Needs the scope of the send.',
    answer: 'What would happen. A refusal that the send would meet is in `refusal`.',
    tags: ['Billing'],
    request: { body: Body },
    responses: { 200: QuoteAnswer },
    errors: ['event.unknown', 'message.incomplete', 'message.not_allowed'],
    async handle({ body }, context) {
      const { scope, read } = kinds[body.kind];
      requireScope(context.key, scope);
      const { strict, asked, problems } = read(body.request);
      const isStrict = strict ?? (await deps.defaultsOf(context.key.accountId)).strict;
      return answerQuote(deps, asked, context, isStrict ? problems() : []);
    },
  });
