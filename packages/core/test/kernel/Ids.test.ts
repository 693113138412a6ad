import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  ApiKeyId,
  ConversionJobId,
  MediaId,
  nextApiKeyId,
  nextConversionJobId,
  nextMediaId,
  nextWorkspaceId,
  toBase32,
  toUuidHex,
  WorkspaceId
} from "../../src/kernel/Ids.ts"
import { bytesOfLength } from "@loopbox/testing/fixtures/arbitraries"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The number that big-endian bytes are. */
const valueOf = (bytes: Uint8Array) => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)

const valueOfText = (text: string) =>
  Array.from(text).reduce((value, letter) => value * 32n + BigInt(alphabet.indexOf(letter)), 0n)

describe("toBase32", () => {
  it.prop(
    "writes the same number as the bytes, in as many characters as they may need",
    [bytesOfLength(0, 40)],
    ([bytes]) => {
      const text = toBase32(bytes)
      assert.strictEqual(text.length, Math.ceil((bytes.length * 8) / 5))
      assert.strictEqual(valueOfText(text), valueOf(bytes))
    }
  )

  it.prop("sorts as the bytes do", [bytesOfLength(16), bytesOfLength(16)], ([a, b]) => {
    assert.strictEqual(toBase32(a) < toBase32(b), valueOf(a) < valueOf(b))
  })

  it.prop("writes 16 bytes as 26 characters that an id takes", [bytesOfLength(16)], ([bytes]) => {
    assert.isTrue(Schema.is(MediaId)(`med_${toBase32(bytes)}`))
  })

  it("writes both ends of a UUID", () => {
    assert.strictEqual(toBase32(new Uint8Array(16)), "0".repeat(26))
    assert.strictEqual(toBase32(new Uint8Array(16).fill(255)), `7${"z".repeat(25)}`)
  })
})

describe("ids (api.md §1)", () => {
  it.effect("of later things sort after those of earlier ones", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const ids = yield* Effect.forEach(Array.from({ length: 100 }), () => nextMediaId(random))
      assert.deepStrictEqual(ids.toSorted(), ids)
      assert.strictEqual(new Set(ids).size, 100)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.effect("say what they name", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      assert.match(yield* nextWorkspaceId(random), /^ws_[0-9a-z]{26}$/)
      assert.match(yield* nextMediaId(random), /^med_[0-9a-z]{26}$/)
      assert.match(yield* nextConversionJobId(random), /^mpj_[0-9a-z]{26}$/)
      assert.match(yield* nextApiKeyId(random), /^key_[0-9a-z]{26}$/)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it("are refused with another prefix, length, letter or case, and above 128 bits", () => {
    const body = "0".repeat(26)
    const isMediaId = Schema.is(MediaId)
    assert.isTrue(isMediaId(`med_${body}`))
    assert.isTrue(isMediaId(`med_7${"z".repeat(25)}`))
    const wrong = [
      `mpj_${body}`,
      body,
      `med_${body}0`,
      `med_${body.slice(1)}`,
      `med_8${"0".repeat(25)}`,
      `med_${"0".repeat(25)}i`,
      `med_${"0".repeat(25)}l`,
      `med_${"0".repeat(25)}o`,
      `med_${"0".repeat(25)}u`,
      `med_${"0".repeat(25)}A`,
      ` med_${body}`,
      `med_${body}\n`,
      ""
    ]
    for (const text of wrong) assert.isFalse(isMediaId(text), text)
  })

  it("do not stand for one another", () => {
    const body = "0".repeat(26)
    assert.isFalse(Schema.is(WorkspaceId)(`med_${body}`))
    assert.isFalse(Schema.is(ConversionJobId)(`ws_${body}`))
    assert.isFalse(Schema.is(ApiKeyId)(`mpj_${body}`))
  })
})

describe("toUuidHex", () => {
  it.prop("gives the 16 bytes back that an id was made of", [bytesOfLength(16, 16)], ([bytes]) => {
    assert.strictEqual(toUuidHex(`mpj_${toBase32(bytes)}`), Buffer.from(bytes).toString("hex"))
  })
})
