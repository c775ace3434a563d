import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { bareHost } from './places.ts';

/** A server that is called by TLS. */
export interface TlsServer {
  host: string;
  port: number;
}

/** Where the URL names none, by its scheme. */
const PORTS: Readonly<Record<string, number>> = { https: 443, mongodb: 27_017 };
const EVENTSTORE_PORT = 2_113;
const TIMEOUT_MS = 3_000;
const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });

const partsOf = (url: string) => {
  const [, scheme = '', hosts = '', rest = ''] =
    /^([a-z+]+):\/\/(?:[^@/?]*@)?([^/?]*)(.*)$/s.exec(url) ?? [];
  const says = (value: string) => new RegExp(`[?&](tls|ssl)=${value}(&|$)`, 'i').test(rest);
  return { scheme, hosts, says };
};

/** Whether the URL of a provider, an issuer, an EventStoreDB or a MongoDB asks for TLS. */
export const usesTls = (url: string): boolean => {
  const { scheme, says } = partsOf(url);
  if (scheme === 'mongodb') return says('true');
  return scheme === 'https' || (/^(esdb|mongodb\+srv)/.test(scheme) && !says('false'));
};

/** The servers that such a URL names. */
export const serversAt = async (url: string): Promise<TlsServer[]> => {
  const { scheme, hosts } = partsOf(url);
  if (scheme === 'mongodb+srv') {
    const found = await resolver.resolveSrv(`_mongodb._tcp.${hosts}`);
    return found.map(({ name, port }) => ({ host: name, port }));
  }
  return hosts.split(',').map((one) => {
    const { hostname, port } = new URL(`tls://${one}`);
    return { host: bareHost(hostname), port: Number(port || (PORTS[scheme] ?? EVENTSTORE_PORT)) };
  });
};

/**
 * When the certificate of a server ends, in milliseconds since 1970. Whether it can be trusted is for those
 * who call the server: nothing is sent to it here.
 */
export const certificateEnd = ({ host, port }: TlsServer): Promise<number> =>
  new Promise((resolve, reject) => {
    const names = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...names, rejectUnauthorized: false });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
  });
