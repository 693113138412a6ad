import type { ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import type { ShownPost } from "@loopbox/core/items/ShownPost"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { TargetNotFound } from "@loopbox/core/posts/PostErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentScope } from "../../api/accounts/AccountsAuthorization.ts"
import { Api } from "../../api/Api.ts"
import { PostBody, TargetBody, toPostBody, toTargetBody } from "../../api/posts/PostBody.ts"
import { NewPostBody, PostChangeBody, toPostChange, toPostInput } from "../../api/posts/PostInputBody.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { placesOf } from "../edge/issues.ts"
import { readJson } from "../edge/readJson.ts"
import { readKeyed } from "../edge/readKeyed.ts"
import { answer } from "../edge/refuse.ts"
import { newPostRules, postChangeRules } from "./postRules.ts"
import { postsOrNone } from "./postsOrNone.ts"
import {
  cancelRefusals,
  createRefusals,
  editRefusals,
  listRefusals,
  postRefusals,
  publishRefusals,
  removeRefusals,
  removeTargetRefusals,
  retryRefusals,
  toIssueBody,
  validateRefusals
} from "./postsRefusals.ts"

/** What is in answers about a post. */
const answers = [...placesOf(PostBody), ...placesOf(TargetBody, "targets[].")]

const isAccountId = Schema.is(SocialAccountId)

/** A cursor is good for its scope and its filters. */
const useOf = ({ scope }: ScopedCaller, query: object) =>
  listUse("posts", scope.workspaceId, query, [
    scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)
  ])

/** 202 for what goes out now, 201 for what waits. */
const accepted = (post: ShownPost, isDeferred: boolean) =>
  Effect.map(answer(toPostBody(post)), (body) =>
    HttpServerResponse.jsonUnsafe(body, { status: isDeferred ? 201 : 202 })
  )

const answerTarget = Effect.fnUntraced(function* (post: ShownPost, targetId: string) {
  const target = post.targets.find(({ id }) => id === targetId)
  return target === undefined ? yield* new TargetNotFound({ targetId }) : yield* answer(toTargetBody(target))
})

export const layer = HttpApiBuilder.group(
  Api,
  "posts",
  Effect.fnUntraced(function* (handlers) {
    const posts = yield* postsOrNone
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const { scope } = yield* CurrentScope
          const { body, idempotencyKey } = yield* readKeyed(NewPostBody, newPostRules(posts.validate, scope), answers)
          const { isDeferred, post } = yield* posts.submit(scope, toPostInput(body), idempotencyKey)
          return yield* accepted(post, isDeferred)
        }, Effect.catchTags(createRefusals))
      )
      .handleRaw(
        "validate",
        Effect.fnUntraced(function* () {
          const { scope } = yield* CurrentScope
          const body = yield* readJson(NewPostBody, { rules: newPostRules(posts.validate, scope), answers })
          const { issues, warnings } = yield* posts.validate(scope, toPostInput(body))
          return yield* answer({ valid: issues.length === 0, issues: issues.map(toIssueBody), warnings })
        }, Effect.catchTags(validateRefusals))
      )
      .handleRaw(
        "edit",
        Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          // Before the body is looked at: another's post is absent, whatever is asked of it (api.md §2).
          yield* posts.find(scope, params.id)
          const change = toPostChange(yield* readJson(PostChangeBody, { rules: postChangeRules, answers }))
          return yield* answer(toPostBody(yield* posts.edit(scope, params.id, change)))
        }, Effect.catchTags(editRefusals))
      )
      .handleRaw(
        "publish",
        Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          const post = yield* posts.publish(scope, params.id)
          return yield* accepted(post, post.status === "scheduled")
        }, Effect.catchTags(publishRefusals))
      )
      .handleRaw(
        "removeTarget",
        Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          const { id, targetID } = params
          return yield* answerTarget(yield* posts.removeTarget(scope, id, targetID), targetID)
        }, Effect.catchTags(removeTargetRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentScope
          const filter = {
            status: Option.fromUndefinedOr(query.status),
            accountId: Option.liftPredicate(query.social_account_id, isAccountId)
          }
          return yield* answerPage(
            cursors,
            useOf(caller, query),
            query,
            (page) => posts.list(caller.scope, filter, page),
            toPostBody
          )
        }, Effect.catchTags(listRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          return yield* answer(toPostBody(yield* posts.find(scope, params.id)))
        }, Effect.catchTags(postRefusals)),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          yield* posts.remove(scope, params.id)
        }, Effect.catchTags(removeRefusals)),
        cancel: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          return yield* answer(toPostBody(yield* posts.cancel(scope, params.id)))
        }, Effect.catchTags(cancelRefusals)),
        retryTarget: Effect.fnUntraced(function* ({ params }) {
          const { scope } = yield* CurrentScope
          const { id, targetID } = params
          return yield* answerTarget(yield* posts.retryTarget(scope, id, targetID), targetID)
        }, Effect.catchTags(retryRefusals))
      })
  })
)
