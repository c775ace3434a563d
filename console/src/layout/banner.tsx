import { Link } from '@tanstack/react-router';
import { useReadiness } from '../api/readiness.ts';
import { Icon } from '../ui/icon.tsx';

const ASK_EVERY_MS = 10_000;

/** Stands on every page while a part of the service does not work. */
export const NotReadyBanner = () => {
  const { data, isError } = useReadiness(ASK_EVERY_MS);
  if (isError) {
    return (
      <div className="banner" role="alert">
        <Icon name="warning" />
        <strong>Waybill cannot be reached: what is shown here may be out of date.</strong>
      </div>
    );
  }
  if (!data || data.ok) return null;
  const down = Object.entries(data.checks ?? {}).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return (
    <div className="banner" role="alert">
      <Icon name="warning" />
      <span>
        <strong>Waybill is not ready{down.length > 0 && `: ${down.join(', ')}`}.</strong> Sends may
        be refused; a refused send costs nothing.{' '}
        {down.length > 0 && <Link to={'/' as never}>See the parts</Link>}
      </span>
    </div>
  );
};
