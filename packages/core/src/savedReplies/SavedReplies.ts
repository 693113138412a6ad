import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { nextSavedReplyId, SavedReplyId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { isSavedReplyName, isSavedReplyText, SavedReply, type SavedReplyContent } from "./SavedReply.ts"
import { SavedReplyInvalid, SavedReplyNotFound, SavedReplyOwnerGone } from "./SavedReplyErrors.ts"
import { SavedReplyStore } from "./SavedReplyStore.ts"

/** Driving service: texts to answer with, for a caller whose scope and plan were checked. Nothing is sent. */
export class SavedReplies extends Context.Service<
  SavedReplies,
  {
    /** Makes one that belongs to the caller's scope. */
    readonly create: (
      caller: EntitledCaller,
      content: SavedReplyContent
    ) => Effect.Effect<SavedReply, SavedReplyInvalid | SavedReplyOwnerGone | StoreUnavailable>
    /** Newest first. */
    readonly list: (caller: EntitledCaller, page: PageRequest) => Effect.Effect<Page<SavedReply>, StoreUnavailable>
    /** One that is outside of the scope, and a malformed id, count as not found. */
    readonly find: (
      caller: EntitledCaller,
      id: string
    ) => Effect.Effect<SavedReply, SavedReplyNotFound | StoreUnavailable>
    /** Changes what is given. */
    readonly update: (
      caller: EntitledCaller,
      id: string,
      change: Partial<SavedReplyContent>
    ) => Effect.Effect<SavedReply, SavedReplyNotFound | SavedReplyInvalid | StoreUnavailable>
    readonly remove: (caller: EntitledCaller, id: string) => Effect.Effect<void, SavedReplyNotFound | StoreUnavailable>
  }
>()("@loopbox/core/savedReplies/SavedReplies") {
  static readonly layer: Layer.Layer<SavedReplies, never, SavedReplyStore | SecureRandom> = Layer.effect(
    SavedReplies,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* SavedReplyStore
  const random = yield* SecureRandom

  const create = Effect.fn("SavedReplies.create")(function* (
    { scope }: EntitledCaller,
    { name, text }: SavedReplyContent
  ) {
    yield* judge({ name, text })
    const now = yield* DateTime.now
    const reply = new SavedReply({
      id: yield* nextSavedReplyId(random),
      workspaceId: scope.workspaceId,
      externalUserId: scope._tag === "ManagedUserScope" ? Option.some(scope.externalUserId) : Option.none(),
      name,
      text,
      createdAt: now,
      updatedAt: now
    })
    if (!(yield* store.insert(reply))) return yield* new SavedReplyOwnerGone()
    return reply
  })

  const find = Effect.fn("SavedReplies.find")(function* ({ scope }: EntitledCaller, id: string) {
    const found = isId(id) ? yield* store.find(scope, id) : Option.none<SavedReply>()
    if (Option.isNone(found)) return yield* new SavedReplyNotFound({ savedReplyId: id })
    return found.value
  })

  const update = Effect.fn("SavedReplies.update")(function* (
    { scope }: EntitledCaller,
    id: string,
    change: Partial<SavedReplyContent>
  ) {
    yield* judge(change)
    const updated = isId(id) ? yield* store.update(scope, id, change, yield* DateTime.now) : Option.none<SavedReply>()
    if (Option.isNone(updated)) return yield* new SavedReplyNotFound({ savedReplyId: id })
    return updated.value
  })

  const remove = Effect.fn("SavedReplies.remove")(function* ({ scope }: EntitledCaller, id: string) {
    const wasThere = isId(id) && (yield* store.remove(scope, id))
    if (!wasThere) return yield* new SavedReplyNotFound({ savedReplyId: id })
  })

  return SavedReplies.of({
    create,
    find,
    list: Effect.fn("SavedReplies.list")(({ scope }, page) => store.list(scope, page)),
    update,
    remove
  })
})

const isId = Schema.is(SavedReplyId)

const judge = ({ name, text }: Partial<SavedReplyContent>): Effect.Effect<void, SavedReplyInvalid> => {
  const members = [
    ...(name === undefined || isSavedReplyName(name) ? [] : ["name" as const]),
    ...(text === undefined || isSavedReplyText(text) ? [] : ["text" as const])
  ]
  return members.length === 0 ? Effect.void : Effect.fail(new SavedReplyInvalid({ members }))
}
