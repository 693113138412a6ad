import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Inbox } from "../inbox/Inbox.ts"
import { ItemNotFound } from "../inbox/InboxErrors.ts"
import { InboxStore } from "../inbox/InboxStore.ts"
import { IngestStore } from "../inbox/IngestStore.ts"
import type { InboxItem } from "../items/InboxItem.ts"
import { InboxItemId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Connectors } from "../networks/Connectors.ts"
import type { Moderation } from "../networks/moderating/NetworkModerate.ts"
import { ActionPaces } from "./ActionPaces.ts"
import type { ActionFailed } from "./actOnNetwork.ts"
import type { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import { makeModerateItem } from "./moderateItem.ts"
import { type BatchAction, type BatchResult, runBatch } from "./runBatch.ts"

export type ModerationFailed = ItemNotFound | ActionNotAvailable | ActionFailed | StoreUnavailable

/** Driving service: what is done with items at their networks (api-2.md §13). */
export class Moderations extends Context.Service<
  Moderations,
  {
    /**
     * Hides or likes an item, or takes that back; an item that is so already is returned without a call. What is not
     * among its `capabilities` fails with `ActionNotAvailable`.
     *
     * The effect is known after at most 20 seconds, or `ActionUncertain`; asking again has no second effect.
     * Interrupting the wait does not stop the call.
     */
    readonly act: (
      caller: EntitledCaller,
      id: string,
      moderation: Exclude<Moderation, "delete">
    ) => Effect.Effect<InboxItem, ModerationFailed>
    /** Deletes an item on its network, and here. One that is gone there already is deleted here. */
    readonly delete: (caller: EntitledCaller, id: string) => Effect.Effect<void, ModerationFailed>
    /** Does the same with up to 100 items, in order; what is not done after 25 seconds is refused. */
    readonly batch: (
      caller: EntitledCaller,
      ids: ReadonlyArray<string>,
      action: BatchAction
    ) => Effect.Effect<ReadonlyArray<BatchResult>>
  }
>()("@loopbox/core/moderation/Moderations") {
  static readonly layer: Layer.Layer<
    Moderations,
    never,
    Inbox | InboxStore | IngestStore | SocialAccounts | AccountTokens | ActionPaces | Connectors | SecureRandom
  > = Layer.effect(
    Moderations,
    Effect.suspend(() => make)
  )
}

const isItemId = Schema.is(InboxItemId)

const make = Effect.gen(function* () {
  const inbox = yield* Inbox
  const moderateItem = yield* makeModerateItem

  const moderate = Effect.fnUntraced(function* (caller: EntitledCaller, id: string, moderation: Moderation) {
    return isItemId(id) ? yield* moderateItem(caller, id, moderation) : yield* new ItemNotFound({ itemId: id })
  })

  const act = Effect.fn("Moderations.act")(function* (
    caller: EntitledCaller,
    id: string,
    moderation: Exclude<Moderation, "delete">
  ) {
    yield* moderate(caller, id, moderation)
    return yield* inbox.find(caller, id)
  })

  const batch = Effect.fn("Moderations.batch")(
    (caller: EntitledCaller, ids: ReadonlyArray<string>, action: BatchAction) =>
      runBatch(ids, (id) => {
        switch (action) {
          case "read":
            return inbox.markRead(caller, id)
          case "unread":
            return inbox.markUnread(caller, id)
          case "hide":
          case "unhide":
            return moderate(caller, id, action)
        }
      })
  )

  return Moderations.of({
    act,
    delete: Effect.fn("Moderations.delete")((caller, id) => moderate(caller, id, "delete")),
    batch
  })
})
