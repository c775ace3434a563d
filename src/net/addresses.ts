import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What an address is to us: anybody's, one that the operator lists, or one to stay away from. */
export type AddressKind = 'public' | 'listed' | 'forbidden';

/** Outside of this no address of the sixth version is anybody's. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Answers metadata to every machine of one cloud, though its address looks public. */
const METADATA = new Set(['168.63.129.16']);

/** Mapped addresses are taken as what they stand for. Undefined when it is no address at all. */
const parse = (text: string): Address | undefined => {
  const [bare = ''] = text.replace(/^\[|\]$/g, '').split('%');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
};

/** Private, loopback, link-local, shared, reserved, translated and multicast ones are not. */
const isPublic = (address: Address): boolean => {
  // Whatever is not plain unicast has a purpose of its own, tunnels and translators included.
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
};

const networkOf = (entry: string): [Address, number] => {
  const [text = '', bits] = entry.split('/');
  const address = parse(text);
  if (!address) throw new Error('an exception is neither an address nor a network');
  const width = address.kind() === 'ipv4' ? 32 : 128;
  const given = bits === undefined ? width : Number(bits);
  // A mapped network counts its bits from the front of the sixth version's address.
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
    /** Undefined when the text is no address but a name. */
    kindOf(text: string): AddressKind | undefined {
      const address = parse(text);
      if (!address) return undefined;
      if (isListed(address)) return 'listed';
      return isPublic(address) ? 'public' : 'forbidden';
    },
  };
};

export type AddressRules = ReturnType<typeof createAddressRules>;
