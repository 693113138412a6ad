import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { InboxItem } from "@loopbox/core/items/InboxItem"
import { ShownOperation } from "@loopbox/core/items/ShownOperation"
import { Media } from "@loopbox/core/media/Media"
import { MediaContext } from "@loopbox/core/networks/MediaContext"
import { AccountSync } from "@loopbox/core/sync/SyncRun"
import { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { toPlain } from "../../src/facade/toPlain.ts"
import { toPlainJob, toPlainMedia } from "../../src/facade/plain.ts"
import { toPlainItem } from "../../src/facade/plainInbox.ts"

const models = {
  AccountSync,
  ConversionJob,
  InboxEvent,
  InboxItem,
  ManagedUser,
  Media,
  MediaContext,
  ShownOperation,
  SocialAccount,
  Workspace
} satisfies Record<string, Schema.Constraint>

/** Everything that is in a value, at any depth. */
const inside = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(inside)] : [value]

const isPlain = (value: unknown): boolean => {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true
  if (typeof value !== "object") return false
  return Array.isArray(value) || [Object.prototype, Date.prototype].includes(Object.getPrototypeOf(value))
}

const assertPlain = (value: unknown) => {
  for (const part of inside(value)) assert.isTrue(isPlain(part), `not plain: ${JSON.stringify(part)}`)
  assert.deepStrictEqual(structuredClone(value), value)
  assert.notInclude(JSON.stringify(value), '"_id":')
}

describe("toPlain", () => {
  for (const [name, model] of Object.entries(models)) {
    it.prop(`makes any ${name} plain, and keeps each of its fields`, { model }, ({ model }) => {
      const plain = toPlain(model)
      assertPlain(plain)
      assert.deepStrictEqual(Object.keys(plain), Object.keys(model))
    })
  }

  it("gives a time as a Date, what is absent as null, and what is there as itself", () => {
    const at = DateTime.makeUnsafe("2026-11-21T12:00:00.123Z")
    const given = { at: Option.some(at), none: Option.none<string>(), deep: [{ one: Option.some(1) }], empty: "" }
    assert.deepStrictEqual(toPlain(given), {
      at: new Date("2026-11-21T12:00:00.123Z"),
      none: null,
      deep: [{ one: 1 }],
      empty: ""
    })
  })

  it.prop(
    "is what jobs, files and items are given as, without our tags",
    { ConversionJob, Media, InboxItem },
    (given) => {
      for (const plain of [toPlainJob(given.ConversionJob), toPlainMedia(given.Media), toPlainItem(given.InboxItem)]) {
        assertPlain(plain)
        assert.notProperty(plain, "_tag")
      }
    }
  )
})
