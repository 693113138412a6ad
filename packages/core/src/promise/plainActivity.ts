import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import {
  type AccountRoute,
  Deleted,
  Edited,
  HiddenChanged,
  type InboundActivity,
  Posted,
  type Attachment
} from "../connectors/InboundActivity.ts"
import { networkOf, type Source } from "../connectors/Source.ts"

/** What every activity says: which account of the source's network it is of, and which item. */
interface OfItem {
  readonly source: Source
  /** The connected account, by the id that the network's webhooks use. */
  readonly networkAccountId: string
  /** The item's id on the network. */
  readonly externalId: string
}

/** Something that happened on a network, as plain data: what a connector would make of a webhook. */
export type PlainActivity =
  | (OfItem & {
      readonly type: "posted"
      readonly threadKey: string
      readonly body: string
      readonly receivedAt: Date
      readonly authorId?: string | null | undefined
      readonly authorName?: string | null | undefined
      readonly authorAvatarUrl?: string | null | undefined
      readonly parentExternalId?: string | null | undefined
      readonly linkedPostId?: string | null | undefined
      readonly url?: string | null | undefined
      readonly attachments?: ReadonlyArray<Attachment> | undefined
      readonly isOwn?: boolean | undefined
    })
  | (OfItem & {
      readonly type: "edited"
      readonly body: string
      /** The higher wins, whichever comes first; the original is 0. */
      readonly version: number
      readonly editedAt: Date
    })
  | (OfItem & { readonly type: "deleted" })
  | (OfItem & { readonly type: "hidden" | "shown"; readonly at: Date })

const routeOf = ({ networkAccountId, source }: OfItem): AccountRoute => ({
  network: networkOf(source),
  accountId: Option.some(networkAccountId),
  username: Option.none()
})

export const toActivity = (activity: PlainActivity): InboundActivity => {
  const { externalId, source } = activity
  const of = { route: routeOf(activity), source, externalId }
  switch (activity.type) {
    case "posted":
      return new Posted({
        ...of,
        replyTargetId: externalId,
        threadKey: { _tag: "Known", key: activity.threadKey },
        parentExternalId: Option.fromNullishOr(activity.parentExternalId),
        linkedPostId: Option.fromNullishOr(activity.linkedPostId),
        author: {
          id: Option.fromNullishOr(activity.authorId),
          name: Option.fromNullishOr(activity.authorName),
          username: Option.none(),
          avatarUrl: Option.fromNullishOr(activity.authorAvatarUrl)
        },
        isOwn: activity.isOwn ?? false,
        body: activity.body,
        attachments: activity.attachments ?? [],
        receivedAt: DateTime.fromDateUnsafe(activity.receivedAt),
        version: 0,
        editedAt: Option.none(),
        permalink: Option.fromNullishOr(activity.url),
        summons: Option.none(),
        operationTag: Option.none(),
        isStandby: false
      })
    case "edited":
      return new Edited({
        ...of,
        body: activity.body,
        version: activity.version,
        editedAt: DateTime.fromDateUnsafe(activity.editedAt),
        whole: Option.none()
      })
    case "deleted":
      return new Deleted(of)
    case "hidden":
    case "shown":
      return new HiddenChanged({
        ...of,
        isHidden: activity.type === "hidden",
        version: activity.at.getTime(),
        asOf: DateTime.fromDateUnsafe(activity.at)
      })
  }
}
