import type { Health } from '../../http/ops/health.ts';
import type { Metrics } from '../../http/ops/metrics.ts';
import { certificateEnd, serversAt, type TlsServer } from '../../net/certificates.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';

/** Time to renew one. */
const NEAR_MS = 14 * 86_400_000;

export interface Certificates {
  /** Asks all servers anew. What one that does not answer said before stays. */
  look(): Promise<void>;
  health(): Health;
}

/** Shows when the certificates end of the servers at these URLs: after that, every call of one fails. */
export const observeCertificates = (
  urls: readonly string[],
  {
    clock,
    logger,
    metrics,
    endOf = certificateEnd,
  }: {
    clock: Clock;
    logger: Pick<Logger, 'warn'>;
    metrics: Pick<Metrics, 'gauge'>;
    /** For tests. */
    endOf?: (server: TlsServer) => Promise<number>;
  },
): Certificates => {
  let ends: ReadonlyMap<string, number> = new Map();
  const near = () =>
    [...ends].flatMap(([peer, end]) =>
      end - clock.now() < NEAR_MS ? [{ peer, endsAt: isoTime(end) }] : [],
    );
  metrics.gauge(
    'waybill_certificate_expires_seconds',
    'When the certificate of a server that this process calls ends, in seconds since 1970',
    ['peer'],
    () => [...ends].map(([peer, end]) => ({ labels: { peer }, value: end / 1000 })),
  );
  return {
    async look() {
      const servers = await Promise.all(urls.map((url) => serversAt(url).catch(() => [])));
      const asked = servers.flat().map(async (server): Promise<[string, number | undefined]> => {
        const peer = `${server.host}:${server.port}`;
        return [peer, await endOf(server).catch(() => ends.get(peer))];
      });
      const found = await Promise.all(asked);
      ends = new Map(
        found.flatMap(([peer, end]) => (end === undefined ? [] : [[peer, end] as const])),
      );
      for (const one of near()) logger.warn(one, 'A certificate is near its end');
    },
    health() {
      const all = near().map(({ peer, endsAt }) => `that of ${peer} ends at ${endsAt}`);
      return all.length === 0 ? { ok: true } : { ok: false, detail: all.join('; ') };
    },
  };
};
