import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Posted, unknownPerson } from "@loopbox/core/networks/InboundActivity"
import type { ReplyLook, UncertainReply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkWrites } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { readGraphPage } from "../meta/graphPage.ts"
import type { GraphPage } from "../meta/graphPage.ts"
import { repeatable } from "../calls/repeatable.ts"
import { isNotResolvable } from "../calls/notResolvable.ts"
import { Id, OptionalText, reader } from "../payloads/payload.ts"
import { ownReply } from "../payloads/ownReply.ts"
import { asReply, replyFields } from "./conversationPage.ts"
import { maxCharacters, threadsLength } from "./threadsLength.ts"
import { readThreadsPost } from "./threadsPost.ts"

const readId = reader(Schema.Struct({ id: Id }))
const readContainer = reader(Schema.Struct({ id: Id, status: OptionalText, error_message: OptionalText }))

const scopes = ["threads_basic", "threads_content_publish", "threads_manage_replies"]
const content = "content" as const

/** How far the clocks of Threads and of this machine may differ. */
const clockTolerance = "60 seconds"

/** A container that still waits so long after the attempt was not published by it (social-networks.md §3.2). */
const publishedBy = "60 seconds"

/** A new container can't be published for a moment: as often as fits into the 20 s that a caller waits. */
const untilResolvable = { schedule: Schedule.exponential("500 millis", 1.5), times: 6 }

/** Of the account's own replies, where one that was just sent is among the first. */
const newestReplies = 50

/** The account's own replies to the target since shortly before the attempt, oldest first. */
const candidatesIn = ({ elements }: GraphPage, access: AccountAccess, { attemptedAt, reply }: UncertainReply) => {
  const earliest = DateTime.subtractDuration(attemptedAt, clockTolerance)
  return elements
    .flatMap((element) => {
      const post = readThreadsPost(element)
      if (Result.isFailure(post)) return []
      const { replied_to, timestamp } = post.success
      const isAnswer =
        Option.exists(replied_to, ({ id }) => id === reply.target.replyTargetId) &&
        Option.exists(timestamp, (at) => DateTime.isGreaterThanOrEqualTo(at, earliest))
      // What `me/replies` shows is the account's own.
      return isAnswer ? [new Posted({ ...asReply(post.success, access, attemptedAt), isOwn: true })] : []
    })
    .toReversed()
}

/** What Threads is told: a container first, which shows nothing, and then that it be published, which happens once. */
export const threadsWrites = (graph: GraphApi): Omit<NetworkWrites, "refreshToken"> => {
  const publish = (access: AccountAccess, container: string) =>
    graph.write(
      { access, endpoint: content, scopes, path: ["me", "threads_publish"], query: { creation_id: container } },
      { form: {} },
      readId
    )

  const findCandidates = (access: AccountAccess, uncertain: UncertainReply) =>
    Effect.map(
      graph.read(
        {
          access,
          endpoint: content,
          scopes,
          path: ["me", "replies"],
          query: { fields: replyFields, limit: String(newestReplies) }
        },
        (body) => Result.map(readGraphPage(body), (page) => candidatesIn(page, access, uncertain))
      ),
      (posted): ReplyLook => ({ _tag: "Candidates", posted })
    )

  const findReply = Effect.fn("ThreadsConnector.findReply")(function* (
    access: AccountAccess,
    uncertain: UncertainReply
  ) {
    // Without a container nothing can have been published.
    if (Option.isNone(uncertain.preparation)) return { _tag: "NotPublished" } as const
    const call = { access, endpoint: content, scopes, id: uncertain.preparation.value }
    const container = yield* graph.readObject({ ...call, fields: "id,status,error_message" }, readContainer)
    const status = Option.getOrElse(container.status, () => "")
    if (status === "PUBLISHED") return yield* findCandidates(access, uncertain)
    if (status === "ERROR" || status === "EXPIRED") {
      const why = Option.getOrElse(container.error_message, () => "")
      const look: ReplyLook = { _tag: "Failed", detail: `the container is ${status} ${why}`.trim().slice(0, 500) }
      return look
    }
    const waits = DateTime.isLessThan(DateTime.addDuration(uncertain.attemptedAt, publishedBy), yield* DateTime.now)
    const look: ReplyLook =
      status === "FINISHED" && waits ? { _tag: "NotPublished" } : { _tag: "Candidates", posted: [] }
    return look
  })

  return {
    measure: (_source, text) => ({ length: threadsLength(text), limit: maxCharacters }),
    prepareReply: Effect.fn("ThreadsConnector.prepareReply")((access, { target, text }) =>
      // A container that nobody publishes goes away by itself.
      repeatable(
        graph.write(
          {
            access,
            endpoint: content,
            scopes,
            path: ["me", "threads"],
            query: { media_type: "TEXT", text, reply_to_id: target.replyTargetId }
          },
          { form: {} },
          readId
        )
      ).pipe(Effect.map(({ id }) => Option.some(id)))
    ),
    sendReply: Effect.fn("ThreadsConnector.sendReply")(function* (access, reply, preparation) {
      if (Option.isNone(preparation)) {
        return yield* new Unavailable({
          network: "threads",
          networkCode: Option.none(),
          detail: "no container was prepared",
          reason: "upstream"
        })
      }
      const { id } = yield* publish(access, preparation.value).pipe(
        Effect.retry({ ...untilResolvable, while: isNotResolvable })
      )
      return ownReply("threads", access, reply, {
        id,
        at: yield* DateTime.now,
        author: { ...unknownPerson, username: access.username },
        permalink: Option.none(),
        summons: Option.none()
      })
    }),
    findReply
  }
}
