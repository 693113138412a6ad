const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

const finish = (value: number): number => {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** Multiplier of a word, turn of it, multiplier, and turn, addend and next lane of the sum. */
const lanes = [
  [0x239b961b, 15, 0xab0e9789, 19, 0x561ccd1b],
  [0xab0e9789, 16, 0x38b34ae5, 17, 0x0bcaa747],
  [0x38b34ae5, 17, 0xa1e38b93, 15, 0x96cd1c35],
  [0xa1e38b93, 18, 0x239b961b, 13, 0x32ac3b17]
] as const

const mixed = (word: number, [first, turn, second]: (typeof lanes)[number]): number =>
  Math.imul(rotate(Math.imul(word, first), turn), second)

const encoder = new TextEncoder()

/**
 * MurmurHash3 x86_128 of a text's UTF-8: 16 bytes that are the same everywhere and for ever. Equal texts are told apart
 * from others by it, but whoever wants two texts of one hash can find them: it is not for secrets.
 */
export const hash128 = (text: string): Uint8Array => {
  const bytes = encoder.encode(text)
  const sums = [0, 0, 0, 0]
  const whole = bytes.length - (bytes.length % 16)
  const wordAt = (place: number) =>
    (bytes[place] ?? 0) |
    ((bytes[place + 1] ?? 0) << 8) |
    ((bytes[place + 2] ?? 0) << 16) |
    ((bytes[place + 3] ?? 0) << 24)
  for (let place = 0; place < whole; place += 16) {
    lanes.forEach((lane, n) => {
      const sum = (sums[n] ?? 0) ^ mixed(wordAt(place + 4 * n), lane)
      sums[n] = (Math.imul(rotate(sum, lane[3]) + (sums[(n + 1) % 4] ?? 0), 5) + lane[4]) | 0
    })
  }
  lanes.forEach((lane, n) => {
    // What is read behind the end is zero, which changes nothing.
    sums[n] = (sums[n] ?? 0) ^ mixed(wordAt(whole + 4 * n), lane) ^ bytes.length
  })
  const spread = () => {
    const [a = 0, b = 0, c = 0, d = 0] = sums
    const total = (a + b + c + d) | 0
    sums.splice(0, 4, total, (b + total) | 0, (c + total) | 0, (d + total) | 0)
  }
  spread()
  sums.splice(0, 4, ...sums.map(finish))
  spread()
  const hash = new Uint8Array(16)
  const view = new DataView(hash.buffer)
  sums.forEach((sum, n) => view.setUint32(4 * n, sum >>> 0))
  return hash
}
