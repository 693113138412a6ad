import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import { makeAppSubscription, subscriptionCall } from "../meta/appSubscription.ts"
import type { GraphApi } from "../meta/graphApi.ts"

/** Comments on posts; the fields of messages need `pages_messaging`. */
const ofPosts = ["feed"]
/** Messages of a linked Instagram account come with those of its Page. */
const needed = [...ofPosts, "messages", "message_echoes", "message_edits", "messaging_postbacks"]

const scopes = ["pages_manage_metadata"]

/** What a Page tells our app: of itself, and of the Instagram account that is linked to it, which share it. */
export interface PageSubscription {
  /** Whether it tells what an inbox needs. */
  readonly isComplete: (access: AccountAccess, pageId: string) => Effect.Effect<boolean, ReadFailed>
  /**
   * Makes it tell that, beside what it tells already. Where messages are refused to the app, it tells of comments from
   * then on, and the call fails all the same.
   */
  readonly begin: (access: AccountAccess, pageId: string) => Effect.Effect<void, ReadFailed>
  /** Also for the other one of the two. */
  readonly end: (access: AccountAccess, pageId: string) => Effect.Effect<void, ReadFailed>
}

export const makePageSubscription = (graph: GraphApi, appId: string | undefined): PageSubscription => {
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
    end: (access, pageId) => subscription.end(call(access, pageId))
  }
}
