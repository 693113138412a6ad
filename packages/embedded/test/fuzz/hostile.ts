import type { Random } from "@loopbox/testing/fixtures/seeded"

const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

/** Values that programs stumble over: of each type of JSON, and texts that a database or a network can't take. */
const values: readonly [unknown, ...ReadonlyArray<unknown>] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  2_147_483_648,
  2 ** 63,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfff",
  "\u202e\u2066abc",
  "😀".repeat(2_000),
  "a".repeat(70_000),
  "e\u0301".repeat(3_000),
  "' OR 1=1 --",
  "%00%ff%c0",
  "../../../etc/passwd",
  "__proto__",
  "constructor",
  "javascript:alert(1)",
  "http://169.254.169.254/",
  "http://[::1]:1/",
  "2026-02-30T25:61:61Z",
  "0001-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "infinity",
  "NaN",
  [],
  {},
  [null],
  [[]],
  { __proto__: null, id: 1 },
  deep(200),
  Array.from({ length: 2_000 }, (_, n) => n)
]

/** Texts among them, for places that take nothing else. */
const texts = values.filter((value) => typeof value === "string")

export const hostileValue = (random: Random): unknown => random.pick(values)
export const hostileText = (random: Random): string => texts[random.below(texts.length)] ?? ""

/** A value, changed in one place: replaced, dropped, doubled or joined by what nobody asked for. */
export const mutate = (value: unknown, random: Random): unknown => {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.below(value.length)
    const changed = random.chance(0.2) ? [] : [mutate(value[at], random)]
    return [...value.slice(0, at), ...changed, ...value.slice(at + 1), ...(random.chance(0.2) ? [value[at]] : [])]
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && random.chance(0.85)) {
    const entries = Object.entries(value)
    const kind = random.below(10)
    if (entries.length === 0 || kind === 0)
      return { ...value, [hostileText(random).slice(0, 40)]: hostileValue(random) }
    const at = random.below(entries.length)
    if (kind === 1) return Object.fromEntries(entries.filter((_, n) => n !== at))
    return Object.fromEntries(entries.map(([name, one], n) => [name, n === at ? mutate(one, random) : one]))
  }
  return hostileValue(random)
}

/** Bytes that are no JSON any more, or JSON of a kind that is never sent. */
export const spoil = (text: string, random: Random): string => {
  const at = random.below(text.length + 1)
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + hostileText(random).slice(0, 100) + text.slice(at)
    case 2:
      return "[".repeat(20_000)
    case 3:
      return `${text}${text}`
    case 4:
      return text.replace("{", '{"id":1,"id":2,')
    case 5:
      return `\ufeff${text}`
    case 6:
      return `{"a":${"9".repeat(2_000)}}`
    default:
      return ""
  }
}
