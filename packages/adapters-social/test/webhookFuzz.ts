/** Deliveries that no network sends, made from those that networks do send: each is read, quickly, without a defect. */
import { makeRandom, type Random } from "@loopbox/testing/fixtures/seeded"
import { assert } from "@effect/vitest"
import { networks, type Network } from "../src/names.ts"
import { corpus, sampleBytes, samplesOf } from "./corpus.ts"
import { arrivedAt, fixtureBytes, fixtures, normalisers } from "./fixtures.ts"
import { assertPromises } from "./storable.ts"

/** What a delivery of some KiB may cost; a hundred times what it does. */
const longestMillis = 500

/** The repository's own payloads, and the corpus's where it is. */
const payloadsOf = (network: Network): ReadonlyArray<string> =>
  [
    ...fixtures[network].map((file) => fixtureBytes(network, file)),
    ...(corpus === undefined ? [] : samplesOf(network).map(({ file }) => sampleBytes(network, file)))
  ].map((bytes) => new TextDecoder().decode(bytes))

/** Values that JSON may have anywhere. */
const odd = [
  "null",
  "true",
  "0",
  "-1",
  "1e999",
  "12345678901234567890",
  '""',
  '"\\u0000"',
  '"\\ud800"',
  "[]",
  "{}",
  "[[null]]",
  '{"__proto__":{"id":1}}',
  '{"length":1e9}',
  '{"toString":1}',
  '"2026-02-30T25:61:61Z"',
  '"http://"'
]

/** Pieces that are no JSON by themselves. */
const scraps = ["[[[[", "}}", ",", ":", '"', "\\", "{", "]"] as const

/** Scalars where JSON has values, and names of members. */
const values = /(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)(?=\s*[,}\]])/g
const names = /"(?:[^"\\]|\\.)*"(?=\s*:)/g

/** A piece of `to` somewhere in `text`, in the place of a piece of it. */
const splice = (random: Random, text: string, to: string, longest: number): string => {
  const from = random.below(text.length + 1)
  return text.slice(0, from) + to + text.slice(from + random.below(longest))
}

/** One token for another of the same place in the grammar, so that what comes out is JSON. */
const swapToken = (random: Random, text: string, other: string, token: RegExp, more: ReadonlyArray<string>): string => {
  const places = [...text.matchAll(token)]
  const place = places[random.below(places.length)]
  if (place === undefined) return text
  const others = [...more, ...(other.match(token) ?? [])]
  const to = others[random.below(others.length)] ?? "null"
  return text.slice(0, place.index) + to + text.slice(place.index + place[0].length)
}

const mutate = (random: Random, text: string, other: string): string => {
  switch (random.below(16)) {
    case 0:
      return splice(random, text, random.pick(scraps), 8)
    case 1:
      return splice(random, text, "", 40)
    case 2: {
      const from = random.below(other.length)
      return splice(random, text, other.slice(from, from + random.below(200)), 200)
    }
    case 3:
      return splice(random, text, String.fromCharCode(random.below(0x10000)), 2)
    case 4:
    case 5:
      return swapToken(random, text, other, names, ['"__proto__"', '""'])
    default:
      return swapToken(random, text, other, values, odd)
  }
}

/** Bytes that are no UTF-8, now and then. */
const bytesFrom = (random: Random, text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > 0 && random.chance(0.1)) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

/** Milliseconds of this process's own work, however slow the machine is with that of others. */
const worked = (self: () => void): number => {
  const before = process.cpuUsage()
  self()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

/** Reads deliveries of the seeds from `from` on, each on the endpoints of all networks; how many told something. */
export const fuzzWebhooks = ({ count, from }: { readonly from: number; readonly count: number }): number => {
  const samples = networks.flatMap(payloadsOf)
  let speaking = 0
  for (let seed = from; seed < from + count; seed++) {
    const random = makeRandom(seed)
    const any = () => samples[random.below(samples.length)] ?? ""
    let text = any()
    for (let left = 1 + random.below(4); left > 0; left--) text = mutate(random, text, any())
    const body = bytesFrom(random, text)
    const tell = (network: Network) => {
      try {
        return assertPromises(normalisers[network]({ body, arrivedAt }))
      } catch (error) {
        throw new Error(`seed ${seed}, ${network}: ${new TextDecoder().decode(body)}`, { cause: error })
      }
    }
    const all = () => networks.forEach((network) => (tell(network) > 0 ? speaking++ : 0))
    // A collector of garbage counts too: what is slow by itself is so again.
    const slow = worked(all) > longestMillis && worked(all) > longestMillis && worked(all) > longestMillis
    assert.isFalse(slow, `seed ${seed} takes more than ${longestMillis} ms`)
  }
  return speaking
}
