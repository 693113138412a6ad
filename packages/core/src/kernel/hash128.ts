const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

const finish = (value: number): number => {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** Mixes a word into the sum of its lane: multiplier, turn, multiplier. */
const mixA = (sum: number, word: number) => sum ^ Math.imul(rotate(Math.imul(word, 0x239b961b), 15), 0xab0e9789)
const mixB = (sum: number, word: number) => sum ^ Math.imul(rotate(Math.imul(word, 0xab0e9789), 16), 0x38b34ae5)
const mixC = (sum: number, word: number) => sum ^ Math.imul(rotate(Math.imul(word, 0x38b34ae5), 17), 0xa1e38b93)
const mixD = (sum: number, word: number) => sum ^ Math.imul(rotate(Math.imul(word, 0xa1e38b93), 18), 0x239b961b)

/** Mixes the next lane into a sum. */
const step = (sum: number, turn: number, next: number, addend: number): number =>
  (Math.imul((rotate(sum, turn) + next) | 0, 5) + addend) | 0

const encoder = new TextEncoder()
/** Longer texts than are hashed by the dozen have bytes of their own. */
const shared = new Uint8Array(1_024)

/** A unit of UTF-16 has three bytes of UTF-8 at most. */
const isShort = (text: string): boolean => text.length * 3 <= shared.length

/** Writes a word into a hash, most significant byte first. Through a view the hash would get memory outside of the heap. */
const put = (hash: Uint8Array, place: number, word: number): void => {
  hash[place] = word >>> 24
  hash[place + 1] = word >>> 16
  hash[place + 2] = word >>> 8
  hash[place + 3] = word
}

/** The four bytes at a place, least significant first; zero for what lies behind the end. */
const wordAt = (bytes: Uint8Array, length: number, place: number): number => {
  let word = 0
  for (let n = Math.min(4, length - place) - 1; n >= 0; n--) word = (word << 8) | (bytes[place + n] ?? 0)
  return word
}

/**
 * MurmurHash3 x86_128 of a text's UTF-8: 16 bytes that are the same everywhere and for ever. Equal texts are told apart
 * from others by it, but whoever wants two texts of one hash can find them: it is not for secrets.
 *
 * Without lists and closures, for a page of a list has a hundred of them.
 */
export const hash128 = (text: string): Uint8Array => {
  // Behind a short text's bytes is what was there before.
  const bytes = isShort(text) ? shared : encoder.encode(text)
  const length = bytes === shared ? encoder.encodeInto(text, shared).written : bytes.length
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const whole = length - (length % 16)
  for (let place = 0; place < whole; place += 16) {
    a = step(mixA(a, wordAt(bytes, length, place)), 19, b, 0x561ccd1b)
    b = step(mixB(b, wordAt(bytes, length, place + 4)), 17, c, 0x0bcaa747)
    c = step(mixC(c, wordAt(bytes, length, place + 8)), 15, d, 0x96cd1c35)
    d = step(mixD(d, wordAt(bytes, length, place + 12)), 13, a, 0x32ac3b17)
  }
  // A word of zeros changes nothing.
  a = mixA(a, wordAt(bytes, length, whole)) ^ length
  b = mixB(b, wordAt(bytes, length, whole + 4)) ^ length
  c = mixC(c, wordAt(bytes, length, whole + 8)) ^ length
  d = mixD(d, wordAt(bytes, length, whole + 12)) ^ length
  const total = (a + b + c + d) | 0
  const first = finish(total)
  const second = finish(b + total)
  const third = finish(c + total)
  const fourth = finish(d + total)
  const sum = (first + second + third + fourth) | 0
  const hash = new Uint8Array(16)
  put(hash, 0, sum)
  put(hash, 4, second + sum)
  put(hash, 8, third + sum)
  put(hash, 12, fourth + sum)
  return hash
}
