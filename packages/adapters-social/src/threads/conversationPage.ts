import type { Feed, FeedPage } from "@loopbox/core/networks/Feed"
import { HiddenChanged, type InboundActivity } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphPage } from "../meta/graphPage.ts"
import { earliest, PageCollector } from "../payloads/PageCollector.ts"
import { Id, OptionalTime, reader } from "../payloads/payload.ts"
import { eventVersion } from "../payloads/times.ts"
import { readThreadsPost, threadsReply } from "./threadsPost.ts"
import type { ThreadsPost } from "./threadsPost.ts"

/** What is asked of replies that may become items (social-networks.md §2.1). */
export const replyFields =
  "id,text,username,timestamp,media_type,media_url,permalink,root_post,replied_to,is_reply,is_reply_owned_by_me,has_replies,hide_status,profile_picture_url,is_verified"

const readThread = reader(Schema.Struct({ id: Id, timestamp: OptionalTime }))

/** One of the account's threads as a feed; none for one that is older than asked for. */
export const threadFeed = (thread: unknown, since: DateTime.Utc): Option.Option<Feed> => {
  const read = readThread(thread)
  if (Result.isFailure(read)) return Option.none()
  const { id, timestamp } = read.success
  if (Option.exists(timestamp, (at) => DateTime.isLessThan(at, since))) return Option.none()
  return Option.some({
    step: "replies",
    source: "threads_reply",
    id,
    items: Option.some({ by: "linkedPostId", value: id }),
    updatedAt: Option.none(),
    size: Option.none(),
    firstPage: Option.none()
  })
}

/** Whether a reply is the account's, by what Threads says or by the only name that it gives. */
const isOwn = ({ is_reply_owned_by_me, username }: ThreadsPost, access: AccountAccess): boolean =>
  Option.isSome(is_reply_owned_by_me) ||
  (Option.isSome(username) &&
    Option.exists(access.username, (ours) => ours.toLowerCase() === username.value.toLowerCase()))

/** A reply as an item of the account that was asked. */
export const asReply = (post: ThreadsPost, access: AccountAccess, otherwiseAt: DateTime.Utc) =>
  threadsReply(post, {
    route: { network: "threads", accountId: Option.some(access.networkAccountId), username: Option.none() },
    isOwn: isOwn(post, access),
    otherwiseAt
  })

/** What a reply is that anybody sees; `HIDDEN`, `COVERED`, `BLOCKED` and `RESTRICTED` are not. */
const shown: ReadonlySet<string> = new Set(["NOT_HUSHED", "UNHUSHED"])

const hiding = (post: ThreadsPost, access: AccountAccess, asOf: DateTime.Utc): ReadonlyArray<InboundActivity> =>
  Option.match(post.hide_status, {
    onNone: () => [],
    onSome: (status) => [
      new HiddenChanged({
        route: { network: "threads", accountId: Option.some(access.networkAccountId), username: Option.none() },
        source: "threads_reply",
        externalId: post.id,
        isHidden: !shown.has(status),
        version: eventVersion(asOf, Option.none()),
        asOf
      })
    ]
  })

/** A reply that does not name its root is in the conversation that was asked for. */
const withRoot = (row: unknown, rootId: string): unknown =>
  Predicate.isObject(row) && !Predicate.isObject(row["root_post"]) ? { ...row, root_post: { id: rootId } } : row

/** One page of a conversation, newest first, as activities. */
export const conversationPage = (
  { elements, isLinked, next }: GraphPage,
  feed: Feed,
  access: AccountAccess,
  requestedAt: DateTime.Utc
): FeedPage => {
  const collector = new PageCollector(requestedAt)
  const times: Array<DateTime.Utc> = []
  elements.forEach((element, i) =>
    collector.add(
      `data[${i}]`,
      Result.map(readThreadsPost(withRoot(element, feed.id)), (post) => {
        const item = asReply(post, access, requestedAt)
        times.push(item.receivedAt)
        return { id: post.id, activities: [item, ...hiding(post, access, requestedAt)] }
      })
    )
  )
  return collector.finish(next, isLinked ? earliest(times) : Option.none())
}
