import * as SecureRandom from "effect/crypto/SecureRandom"
import { Layer } from "effect"

/** The last four bytes of every id that the first workspace's rows have. */
const ending = [0xbe, 0xef, 0xca, 0xfe]

/** The last six characters of such an id: 30 bits. A copy of the workspace has another six in their place. */
export const mark = "zezjqy"

/** Random bytes, but for the end of each id: everything that belongs to the first workspace names it. */
export const layerMarked = Layer.succeed(
  SecureRandom.SecureRandom,
  SecureRandom.make((size) => {
    const bytes = SecureRandom.randomBytesUnsafe(size)
    if (size === 16) bytes.set(ending, 12)
    return bytes
  })
)

/** SQL of the mark of copy `n`: an odd factor makes a different one of each, in no order. */
export const markOf = (n: string): string => {
  const digits = [25, 20, 15, 10, 5, 0].map(
    (shift) => `substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((m >> ${shift}) & 31)::int, 1)`
  )
  return `(SELECT ${digits.join(" || ")} FROM (SELECT (${n}::bigint * 662624893) % 1073741824 AS m) m)`
}
