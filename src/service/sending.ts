import { createIdempotencyRecovery } from '../commands/idempotency/recovery.ts';
import { createDeadLetters } from '../commands/inbound/dead-letters.ts';
import { tellOfDeadLetter } from '../commands/inbound/tell-of-dead-letter.ts';
import { createBatches } from '../commands/sending/batch.ts';
import { createNotifications } from '../commands/sending/notification.ts';
import { createPassThrough } from '../commands/sending/pass-through.ts';
import { createRecoveries } from '../commands/sending/recoveries.ts';
import { createSendsUnderWay, type SendsUnderWay } from '../commands/sending/sends-under-way.ts';
import { createTransmitter } from '../commands/sending/transmit.ts';
import { createMirror } from '../commands/templates/mirror.ts';
import { keyStands } from './authenticator.ts';
import type { ServiceDeps } from './deps.ts';
import { observeSends } from './health/observe-writes.ts';
import type { Stores } from './stores.ts';

/** Wires what brings the messages of interrupted sends and their charges together again. */
const createRecovering = ({ logger }: ServiceDeps, stores: Stores, sends: SendsUnderWay) => {
  const { writer, contacts, subjects, store, lookups, secrets, refunds, metrics } = stores;
  const count = metrics.counter(
    'waybill_dead_letters_total',
    'Items of the provider that could not be taken in, by field and reason',
    ['field', 'reason'],
  );
  const kept = createDeadLetters({
    writer,
    lookups,
    subjects,
    secrets,
    onKept: tellOfDeadLetter(logger, count),
  });
  const recoveries = createRecoveries({
    writer,
    contacts,
    subjects,
    store,
    refunds,
    lookups,
    sends,
    deadLetters: kept,
    onFault: (chargeId, err) =>
      logger.error({ chargeId, err }, 'The account of a charge could not be decided: trying again'),
  });
  return { kept, recoveries };
};

/** Wires what sends messages. */
export const createSending = (deps: ServiceDeps, stores: Stores) => {
  const { provider, clock, logger, settings } = deps;
  const { store, writer, contacts, subjects, lookups, secrets, charged } = stores;
  const { soleWriter } = store;
  const { providerTimeoutMs } = settings;
  const monotonicMs = () => performance.now();
  const sends = createSendsUnderWay({ clock, monotonicMs, soleWriter, providerTimeoutMs });
  const { kept, recoveries } = createRecovering(deps, stores, sends);
  const { giveBack } = recoveries;
  const recovery = createIdempotencyRecovery({ store, giveBack });
  const mirror = createMirror({
    writer,
    provider,
    lookups,
    clock,
    onUnreadable: (err) => logger.warn({ err }, 'Templates could not be read live'),
  });
  const transmitter = createTransmitter({
    writer,
    contacts,
    subjects,
    lookups,
    provider,
    recovery,
    sends,
    secrets,
    clock,
    ...charged,
    onOutcome: observeSends(stores.metrics),
  });
  const sending = { lookups, contacts, mirror, provider, transmitter, secrets, clock };
  const notifications = createNotifications(sending);
  const passThrough = createPassThrough(sending);
  const mayAct = async (accountId: string) => {
    const account = await lookups.account(accountId);
    const organisation = account && (await lookups.organisation(account.organisationId));
    return organisation?.suspended === false;
  };
  const batches = createBatches({
    notifications,
    monotonicMs,
    async mayGoOn({ accountId, keyId }) {
      const key = await lookups.key(keyId);
      return key !== undefined && keyStands(key, clock.now()) && (await mayAct(accountId));
    },
    onFault: (err) => logger.error({ err }, 'A recipient of a batch failed unexpectedly'),
  });
  return { kept, recoveries, recovery, mirror, notifications, passThrough, batches, mayAct };
};
