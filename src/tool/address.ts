// Which addresses of the network are public: what a fetched page must never lead to is this machine, its
// neighbours, and the metadata services of clouds.

import { BlockList, isIP, isIPv4 } from 'node:net'

/** IANA's special-purpose registries (RFC 6890 and its updates), multicast and reserved ranges. */
const NOT_PUBLIC: [prefix: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** All of IPv6 is reserved but 2000::/3, and in that: */
const NOT_PUBLIC_6: [prefix: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const blocked = new BlockList()
for (const [prefix, bits] of NOT_PUBLIC) blocked.addSubnet(prefix, bits, 'ipv4')
for (const [prefix, bits] of NOT_PUBLIC_6) blocked.addSubnet(prefix, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** `address` as resolution or a URL gives it: an IPv4 or IPv6 address, without brackets. What is none is
 * not public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (isIPv4(address)) return !blocked.check(address, 'ipv4')
  const plain = address.replace(/%.*$/, '')
  return global6.check(plain, 'ipv6') && !blocked.check(plain, 'ipv6')
}

/** The host of a URL as it is compared: no brackets, no final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
