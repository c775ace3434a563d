import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { CatalogReadiness } from '../../ui/readiness.tsx';

const readReadiness = (phoneNumberId: string, isAnew: boolean, signal?: AbortSignal) => {
  const query = { phoneNumberId, ...(isAnew && { refresh: 'true' as const }) };
  return bodyOf(api.GET('/v1/notifications/events', { params: { query }, signal }));
};

const submitMissing = (phoneNumberId: string) => {
  const body = { phoneNumberId, onlyMissing: true };
  return bodyOf(api.POST('/v1/notifications/templates/submit', { body }));
};

/** Which events can be sent from a number. */
export const Readiness = ({ phoneNumberId }: { phoneNumberId: string }) => {
  const maySubmit = useScope('templates:write');
  return (
    <CatalogReadiness
      queryKey={['readiness', phoneNumberId]}
      read={(isAnew, signal) => readReadiness(phoneNumberId, isAnew, signal)}
      submit={maySubmit && (() => submitMissing(phoneNumberId))}
    />
  );
};
