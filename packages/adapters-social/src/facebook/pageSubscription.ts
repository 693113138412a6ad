import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import { makeAppSubscription, subscriptionCall } from "../meta/appSubscription.ts"
import type { GraphApi } from "../meta/graphApi.ts"

/** Comments on posts; the fields of messages need `pages_messaging`. */
const ofPosts = ["feed"]
/** What both need: messages of a linked Instagram account come with those of its Page. */
const shared = [...ofPosts, "messages", "message_echoes", "message_edits"]
/** What only a connected Page has, which tells that it is connected. */
const ofPages = ["messaging_postbacks"]

const scopes = ["pages_manage_metadata"]

/** What a Page tells our app: of itself, and of the Instagram account that is linked to it. */
export interface PageSubscription {
  /** Whether it tells what an inbox needs. */
  readonly isComplete: (access: AccountAccess, pageId: string) => Effect.Effect<boolean, ReadFailed>
  /**
   * Makes it tell that, beside what it tells already. Where messages are refused to the app, it tells of comments from
   * then on, and the call fails all the same.
   */
  readonly begin: (access: AccountAccess, pageId: string) => Effect.Effect<void, ReadFailed>
  readonly end: (access: AccountAccess, pageId: string) => Effect.Effect<void, ReadFailed>
}

/** A Page and the Instagram account that is linked to it share one subscription; `of` is which of them is connected. */
export const makePageSubscription = (
  graph: GraphApi,
  appId: string | undefined,
  of: "page" | "instagram"
): PageSubscription => {
  const needed = of === "page" ? [...shared, ...ofPages] : shared
  const subscription = makeAppSubscription(graph, appId)
  const call = (access: AccountAccess, pageId: string, more: ReadonlyArray<string> = []) =>
    subscriptionCall(access, pageId, [...scopes, ...more])
  const told = (access: AccountAccess, pageId: string) => subscription.fields(call(access, pageId))
  return {
    isComplete: (access, pageId) =>
      Effect.map(told(access, pageId), (fields) => needed.every((field) => fields.includes(field))),
    begin: Effect.fnUntraced(function* (access: AccountAccess, pageId: string) {
      const before = yield* told(access, pageId)
      const all = [...new Set([...before, ...needed])]
      yield* subscription
        .set(call(access, pageId, ["pages_messaging"]), all)
        .pipe(
          Effect.catchTag("AuthExpired", (error) =>
            error.reason === "permission"
              ? Effect.andThen(
                  subscription.set(call(access, pageId), [...new Set([...before, ...ofPosts])]),
                  Effect.fail(error)
                )
              : Effect.fail(error)
          )
        )
    }),
    end: Effect.fnUntraced(function* (access: AccountAccess, pageId: string) {
      // A Page that is connected itself goes on; where an Instagram account still needs it, that is found and mended.
      const fields = of === "instagram" ? yield* told(access, pageId) : []
      const isShared = ofPages.some((field) => fields.includes(field))
      if (!isShared) yield* subscription.end(call(access, pageId))
    })
  }
}
