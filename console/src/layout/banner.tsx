import { Link } from '@tanstack/react-router';
import { useReadiness } from '../api/readiness.ts';

const ASK_EVERY_MS = 10_000;

/** Stands on every page while a part of the service does not work. */
export const NotReadyBanner = () => {
  const { data } = useReadiness(ASK_EVERY_MS);
  if (!data || data.ok) return null;
  const down = Object.entries(data.checks ?? {}).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return (
    <div className="banner" role="alert">
      <strong>Waybill is not ready{down.length > 0 && `: ${down.join(', ')}`}.</strong> Sends may be
      refused; a refused send costs nothing. <Link to={'/' as never}>See the parts</Link>
    </div>
  );
};
