import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A public address, one that the operator lists, or one that must not be called. */
export type AddressKind = 'public' | 'listed' | 'forbidden';

/** All public IPv6 addresses are in this network. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** The metadata service of one cloud has an address that looks public. */
const METADATA = new Set(['168.63.129.16']);

/** Parses an address; a mapped IPv6 address becomes its IPv4 address. Undefined for other text. */
const parse = (text: string): Address | undefined => {
  const [bare = ''] = text.replace(/^\[|\]$/g, '').split('%');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
};

/** False for private, loopback, link-local, shared, reserved, translated and multicast addresses. */
const isPublic = (address: Address): boolean => {
  // All ranges but plain unicast have a special purpose, such as tunnels and translation.
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
};

const networkOf = (entry: string): [Address, number] => {
  const [text = '', bits] = entry.split('/');
  const address = parse(text);
  if (!address) throw new Error('an exception is neither an address nor a network');
  const width = 8 * address.toByteArray().length;
  const given = bits === undefined ? width : Number(bits);
  // The prefix of a mapped network counts the bits of the IPv6 address.
  const isMapped = width === 32 && text.includes(':') && bits !== undefined;
  return [address, isMapped ? Math.max(0, given - 96) : given];
};

/** Sorts addresses; `exceptions` are addresses and networks such as `10.0.0.0/8`. */
export const createAddressRules = (exceptions: readonly string[]) => {
  const networks = exceptions.map(networkOf);
  const isListed = (address: Address) =>
    networks.some(
      ([network, bits]) =>
        network.kind() === address.kind() && address.match(network as ipaddr.IPv4, bits),
    );
  return {
    hasExceptions: networks.length > 0,
    /** Undefined when the text is not an address. */
    kindOf(text: string): AddressKind | undefined {
      const address = parse(text);
      if (!address) return undefined;
      if (isListed(address)) return 'listed';
      return isPublic(address) ? 'public' : 'forbidden';
    },
  };
};

export type AddressRules = ReturnType<typeof createAddressRules>;
