import { accounts } from './accounts.ts';
import { actions } from './actions.ts';
import { activity } from './activity.ts';
import { administrators } from './administrators.ts';
import { answers } from './answers.ts';
import { approvals } from './approvals.ts';
import { botRuns } from './bot-runs.ts';
import { bots } from './bots.ts';
import { chargeclaims } from './charge-claims.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { deadletters } from './dead-letters.ts';
import type { Projection } from './define.ts';
import { erasures, expirations } from './erasures.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { ledger } from './ledger.ts';
import { media } from './media.ts';
import { messages } from './messages.ts';
import { notes } from './notes.ts';
import { numbers } from './numbers.ts';
import { organisations } from './organisations.ts';
import { people } from './people.ts';
import { plans, ratecards } from './plans.ts';
import { quickreplies } from './quick-replies.ts';
import { refunds } from './refunds.ts';
import { refusals } from './refusals.ts';
import { reservations } from './reservations.ts';
import { scheduled } from './scheduled.ts';
import { sessions } from './sessions.ts';
import { templates } from './templates.ts';
import { webhookdeliveries } from './webhook-deliveries.ts';
import { webhooks } from './webhooks.ts';

/** Every projection of the service. A new one is added only here. */
export const projections: readonly Projection[] = [
  organisations,
  accounts,
  ledger,
  reservations,
  refunds,
  refusals,
  chargeclaims,
  messages,
  scheduled,
  media,
  answers,
  numbers,
  keys,
  administrators,
  people,
  approvals,
  sessions,
  templates,
  plans,
  ratecards,
  bots,
  botRuns,
  contacts,
  conversations,
  notes,
  quickreplies,
  deadletters,
  erasures,
  expirations,
  activity,
  actions,
  webhooks,
  webhookdeliveries,
  jobs,
];
