import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { nextInboxItemId, nextOutboundOperationId } from "../kernel/Ids.ts"
import { OutboundOperation, Waiting } from "../outbound/OutboundOperation.ts"

/** A reply that was just accepted, to a comment. */
export const makeOperation = Effect.fnUntraced(function* (
  account: SocialAccount,
  at: DateTime.Utc,
  more: Partial<Pick<OutboundOperation, "text" | "itemId">> & { readonly key?: string } = {}
) {
  const random = yield* SecureRandom
  return new OutboundOperation({
    id: yield* nextOutboundOperationId(random),
    workspaceId: account.workspaceId,
    accountId: account.id,
    itemId: more.itemId ?? (yield* nextInboxItemId(random)),
    source: "ig_comment",
    idempotencyKey: Option.map(Option.fromUndefinedOr(more.key), (key) => IdempotencyKey.make(key)),
    text: more.text ?? "Yes",
    target: { externalId: "c1", replyTargetId: "c1", threadKey: "c1", linkedPostId: Option.some("p1") },
    attempts: 0,
    state: new Waiting({ since: at }),
    createdAt: at,
    updatedAt: at
  })
})
