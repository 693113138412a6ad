import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/**
 * Whether an address is one of the public internet: global unicast, and in none of IANA's registries of special-purpose
 * addresses (RFC 6890 and its successors). What translates to IPv4 is judged by the addresses inside: IPv4-mapped,
 * 6to4, Teredo and NAT64's well-known prefix. NAT64's local prefix (RFC 8215) is refused as a whole, for where the
 * address lies in it is known only to its network. A text that is no address is not public.
 */
export const isGlobalUnicast = (address: string): boolean => {
  const family = isIP(address)
  if (family === 0) return false
  const parsed = ipaddr.parse(family === 6 ? inHex(address) : address)
  return parsed.kind() === "ipv4" ? parsed.range() === "unicast" : isGlobalV6(parsed.toByteArray(), parsed.range())
}

/** An IPv6 address without dots and zone: ipaddr.js takes the IPv4-compatible `::127.0.0.1` for `::ffff:127.0.0.1`. */
const inHex = (address: string): string => new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1)

/** The sixteen bytes of an IPv6 address, and what ipaddr.js calls its range. */
const isGlobalV6 = (bytes: ReadonlyArray<number>, range: string): boolean => {
  const v4At = (start: number) => isGlobalV4(bytes.slice(start, start + 4))
  switch (range) {
    case "ipv4Mapped":
      return v4At(12)
    case "6to4":
      return v4At(2)
    case "teredo":
      // Its server, and its client, whose bits are inverted (RFC 4380 §4).
      return v4At(4) && isGlobalV4(bytes.slice(12).map((byte) => byte ^ 0xff))
    case "rfc6052":
      return isWellKnownNat64(bytes) && v4At(12)
    case "unicast":
      // IANA gives global unicast addresses out of 2000::/3 only.
      return ((bytes[0] ?? 0) & 0xe0) === 0x20
    default:
      return false
  }
}

const isGlobalV4 = (octets: ReadonlyArray<number>): boolean => ipaddr.fromByteArray([...octets]).range() === "unicast"

/** `64:ff9b::/96`, and not `64:ff9b:1::/48`. */
const isWellKnownNat64 = (bytes: ReadonlyArray<number>): boolean => bytes.slice(4, 12).every((byte) => byte === 0)
