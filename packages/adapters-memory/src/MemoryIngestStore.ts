import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { IngestStore, type MissingItems } from "@loopbox/core/inbox/IngestStore"
import { keyOf, type LiveItem } from "@loopbox/core/items/StoredItem"
import type { ExpectedItems } from "@loopbox/core/sync/feedRules"
import { ingestUnit } from "./memoryIngest.ts"
import { changing } from "./memoryAudit.ts"
import { type AccountEntry, newestFirst } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

/** The post or conversation of an item, by which a read lists it. */
const hangsOn = (item: LiveItem, { by }: ExpectedItems): string | undefined =>
  by === "threadKey" ? item.threadKey : Option.getOrUndefined(item.linkedPostId)

const isMissing = (item: LiveItem, expected: ExpectedItems): boolean => {
  const { after, before, isListed, seen, source, values } = expected
  const value = hangsOn(item, expected)
  return (
    item.isListed &&
    item.source === source &&
    value !== undefined &&
    values.includes(value) === isListed &&
    DateTime.isLessThan(item.receivedAt, before) &&
    Option.match(after, { onNone: () => true, onSome: (at) => DateTime.isGreaterThan(item.receivedAt, at) }) &&
    !seen.includes(item.externalId)
  )
}

const missingOf = ({ items }: AccountEntry, expected: ExpectedItems, limit: number): MissingItems => {
  const found = Array.from(items.values())
    .flatMap((item) => (item._tag === "LiveItem" && isMissing(item, expected) ? [item] : []))
    .sort(newestFirst)
  return {
    count: found.length,
    items: found.slice(0, limit).map((item) => ({
      source: item.source,
      externalId: item.externalId,
      receivedAt: item.receivedAt,
      hangsOn: hangsOn(item, expected) ?? ""
    }))
  }
}

export const layer: Layer.Layer<IngestStore, never, MemoryState> = Layer.effect(
  IngestStore,
  Effect.map(MemoryState, ({ inbox }) =>
    IngestStore.of({
      ingest: (unit) =>
        Effect.flatMap(
          changing((by) => ingestUnit(inbox, unit, by)),
          Effect.fromResult
        ),
      findThreadKeys: (workspaceId, accountId, keys) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          const found = new Map<string, string>()
          if (entry?.account.workspaceId !== workspaceId) return found
          for (const key of keys) {
            const named = entry.items.get(keyOf(key))
            const item = named?._tag === "ItemAlias" ? entry.items.get(keyOf({ ...key, externalId: named.of })) : named
            if (item?._tag === "LiveItem") found.set(keyOf(key), item.threadKey)
            if (item?._tag === "DeletedItem" && Option.isSome(item.threadKey))
              found.set(keyOf(key), item.threadKey.value)
          }
          return found
        }),
      findMissing: (workspaceId, accountId, expected, limit) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          if (entry?.account.workspaceId !== workspaceId) return []
          return expected.map((one) => missingOf(entry, one, limit))
        }),
      findItemId: (workspaceId, accountId, key) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          const item = entry?.account.workspaceId === workspaceId ? entry.items.get(keyOf(key)) : undefined
          return item?._tag === "LiveItem" ? Option.some(item.id) : Option.none()
        })
    })
  )
)
