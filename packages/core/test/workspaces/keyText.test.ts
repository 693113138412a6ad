import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { idOfKeyText, toKeyText } from "../../src/workspaces/keyText.ts"
import { ApiKeyId, toBase32 } from "../../src/kernel/Ids.ts"
import { bytesOfLength } from "@loopbox/testing/fixtures/arbitraries"

const keyId = Arbitrary.map(bytesOfLength(16), (bytes) => ApiKeyId.make(`key_${toBase32(bytes)}`))

describe("the text of an API key (design §3)", () => {
  it.prop(
    "names the key's id and mode, and carries 256 bits of secret",
    [keyId, bytesOfLength(32), Schema.Literals(["live", "test"])],
    ([id, secret, mode]) => {
      const text = Redacted.value(toKeyText(mode, id, secret))
      assert.strictEqual(text, `lbx_${mode}_${id.slice(4)}_${toBase32(secret)}`)
      assert.deepStrictEqual(idOfKeyText(text), Option.some(id))
    }
  )

  it.prop("is not printed with its key", [keyId, bytesOfLength(32)], ([id, secret]) => {
    assert.notInclude(String(toKeyText("live", id, secret)), toBase32(secret))
  })

  it.prop("is never found in other text", [Schema.String], ([text]) => {
    assert.deepStrictEqual(idOfKeyText(text), Option.none())
  })

  it("is refused when it is cut, longer, in upper case or of another prefix", () => {
    const id = ApiKeyId.make(`key_${"0".repeat(26)}`)
    const text = Redacted.value(toKeyText("live", id, new Uint8Array(32)))
    const wrong = [
      text.slice(0, -1),
      `${text}0`,
      text.toUpperCase(),
      text.replace("lbx", "sk"),
      text.replace("live", "prod"),
      ` ${text}`,
      `${text}\n`
    ]
    for (const other of wrong) assert.deepStrictEqual(idOfKeyText(other), Option.none(), other)
  })
})
