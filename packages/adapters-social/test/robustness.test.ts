/** What holds for any bytes: no reader ever throws, and no element takes its neighbours with it. */
import { networks } from "../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option, Predicate, Schema } from "effect"
import { assertStorable } from "./storable.ts"
import { arrivedAt, bytesOf, fixtureJson, fixtures, normalise, normalisers, told } from "./fixtures.ts"

type Path = ReadonlyArray<string | number>

/** Every place in a payload, the whole of it first. */
const pathsOf = (value: unknown, at: Path = []): ReadonlyArray<Path> => [
  at,
  ...(Array.isArray(value)
    ? value.flatMap((one, i) => pathsOf(one, [...at, i]))
    : Predicate.isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...at, name]))
      : [])
]

/** The payload with something else in one place. */
const withValue = (payload: unknown, [head, ...rest]: Path, value: unknown): unknown => {
  if (head === undefined) return value
  if (Array.isArray(payload)) return payload.map((one, i) => (i === head ? withValue(one, rest, value) : one))
  return Predicate.isObject(payload) ? { ...payload, [head]: withValue(payload[head], rest, value) } : payload
}

const junk: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "0",
  "\u0000",
  "\ud800",
  "x".repeat(5_000),
  [],
  {},
  [[]],
  [null],
  { id: {} },
  { length: 1e9 },
  { toString: 1 },
  { constructor: null, __proto__: null }
]

const everyFixture = networks.flatMap((network) => fixtures[network].map((file) => [network, file] as const))

describe("any payload", () => {
  for (const [network, file] of everyFixture) {
    it(`${network}/${file} with anything anywhere is read, and whatever is told can be stored`, () => {
      const payload = fixtureJson(network, file)
      let told = 0
      pathsOf(payload).forEach((path, i) => {
        // A few for each place, others for the next one: all of them everywhere takes half a minute.
        for (const value of [null, {}, junk[i % junk.length], junk[(i * 5 + 3) % junk.length]]) {
          told += assertStorable(network, withValue(payload, path, value))
        }
      })
      assert.isAbove(told, 0)
    })
  }

  it.prop("any JSON is read on every endpoint", { json: Schema.Json }, ({ json }) => {
    for (const network of networks) assertStorable(network, json)
  })

  it.prop("any bytes are read on every endpoint", { body: Schema.Uint8Array }, ({ body }) => {
    for (const network of networks) normalisers[network]({ body, arrivedAt })
  })

  it("JSON of any depth is read, or told to be none", () => {
    for (const depth of [10, 1_000, 200_000]) {
      for (const text of [
        "[".repeat(depth),
        `{"entry":${"[".repeat(depth)}12345678901234567890${"]".repeat(depth)}}`
      ]) {
        for (const network of networks) {
          const delivery = normalisers[network]({ body: new TextEncoder().encode(text), arrivedAt })
          assert.deepStrictEqual(delivery.activities, [])
        }
      }
    }
  })
})

/** The arrays whose elements stand for themselves. */
const elementArrays = new Set(["entry", "changes", "messaging", "standby", "values", "tweet_create_events"])
const isElement = (path: Path): boolean => {
  const [last, name] = [path.at(-1), path.at(-2)]
  return typeof last === "number" && (name === undefined || elementArrays.has(String(name)))
}

describe("a batch", () => {
  for (const [network, file] of everyFixture) {
    const payload = fixtureJson(network, file)
    const elements = pathsOf(payload).filter(isElement)
    if (elements.length === 0) continue

    it(`${network}/${file}: an element that can't be read drops nothing else`, () => {
      const whole = normalise(network, payload).activities.map(told)
      for (const path of elements) {
        const without = normalise(network, withValue(payload, path, null)).activities.map(told)
        assert.includeMembers(whole, without)
        for (const value of junk.filter((one) => !Array.isArray(one))) {
          const broken = normalise(network, withValue(payload, path, value)).activities.map(told)
          assert.deepStrictEqual(broken, without)
        }
      }
    })

    it(`${network}/${file}: order means nothing`, () => {
      const whole = normalise(network, payload).activities.map(told)
      const reversed = normalise(network, reverseElements(payload)).activities.map(told)
      assert.deepStrictEqual(reversed.toSorted(), whole.toSorted())
    })
  }

  it("tells at most 100 places that can't be read, and goes on behind them", () => {
    const bad = Array.from({ length: 500 }, () => ({ field: "comments", value: null }))
    const good = { field: "comments", value: { id: "1", text: "still here" } }
    const delivery = normalise("instagram", {
      object: "instagram",
      entry: [{ id: "17841499000000001", time: 1, changes: [...bad, good] }]
    })
    assert.strictEqual(delivery.unreadable.length, 100)
    assert.strictEqual(delivery.activities.length, 1)
  })

  it("counts at most 100 names of kinds, the rest as other", () => {
    const changes = Array.from({ length: 500 }, (_, i) => ({ field: `new field ${i}`, value: {} }))
    const { ignored } = normalise("instagram", { object: "instagram", entry: [{ id: "1", changes }] })
    assert.strictEqual(ignored.size, 101)
    assert.strictEqual(ignored.get("other"), 400)
    assert.strictEqual(ignored.get("new_field_0"), 1)
  })

  it("reads a thousand comments of several accounts", () => {
    const entry = Array.from({ length: 1_000 }, (_, i) => ({
      id: `1784149900000000${i % 7}`,
      time: 1_790_000_000 + i,
      changes: [{ field: "comments", value: { id: `${i}`, text: `comment ${i}`, media: { id: "1" } } }]
    }))
    const { activities } = normalise("instagram", { object: "instagram", entry })
    assert.strictEqual(activities.length, 1_000)
    assert.strictEqual(new Set(activities.map(({ route }) => Option.getOrNull(route.accountId))).size, 7)
  })
})

const reverseElements = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverseElements).toReversed()
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, elementArrays.has(name) ? reverseElements(one) : one])
  )
}

describe("numbers that a double can't hold", () => {
  it("stay whole as ids", () => {
    const body = new TextEncoder().encode(
      `{"object":"page","entry":[{"id":440000000000001,"time":1,"messaging":[{"sender":{"id":98765432109876543210},"recipient":{"id":440000000000001},"message":{"mid":"m","text":"-12345678901234567890"}}]}]}`
    )
    const [activity] = normalisers.facebook({ body, arrivedAt }).activities
    assert.strictEqual(activity === undefined ? "" : told(activity).split(" | ")[2], "in 98765432109876543210")
  })

  it("a payload given as an object is the same as an array of it", () => {
    const change = { field: "comments", value: { id: "1", text: "one" } }
    const wrapped = { object: "instagram", entry: [{ id: "1", time: 5, changes: [change] }] }
    const bare = [{ object: "instagram", entry: { id: "1", time: 5, changes: change } }]
    assert.deepStrictEqual(
      normalisers.instagram({ body: bytesOf(bare), arrivedAt }).activities.map(told),
      normalisers.instagram({ body: bytesOf(wrapped), arrivedAt }).activities.map(told)
    )
  })
})
