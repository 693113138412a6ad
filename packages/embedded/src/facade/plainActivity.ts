import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  type AccountRoute,
  Attachment,
  Deleted,
  Edited,
  HiddenChanged,
  type InboundActivity,
  Posted
} from "@loopbox/core/networks/InboundActivity"
import { bodyText, idText, linkText, nameText } from "@loopbox/core/networks/networkText"
import { KnownSource } from "@loopbox/core/networks/known"
import { Networks, type NetworkTable } from "@loopbox/core/networks/Networks"

const Id = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Option.isSome(idText(text)) ? undefined : "an id has 1 to 512 characters, and no NUL"
  )
)
const OptionalId = Schema.optional(Schema.NullOr(Id))
const OptionalText = Schema.optional(Schema.NullOr(Schema.String))
const Version = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Common fields: the account on the source's network, and the item. */
const ofItem = {
  source: KnownSource,
  /** The connected account, by the id that the network's webhooks use. */
  networkAccountId: Id,
  /** The item's id on the network. */
  externalId: Id
}

const PlainPosted = Schema.Struct({
  ...ofItem,
  type: Schema.Literal("posted"),
  threadKey: Id,
  /** Cut at 64 KiB. */
  body: Schema.String,
  receivedAt: Schema.Date,
  authorId: OptionalId,
  authorName: OptionalText,
  /** Links other than http or https, or above 2,048 characters, are dropped. */
  authorAvatarUrl: OptionalText,
  parentExternalId: OptionalId,
  linkedPostId: OptionalId,
  url: OptionalText,
  attachments: Schema.optional(Schema.Array(Attachment)),
  isOwn: Schema.optional(Schema.Boolean)
})

const PlainEdited = Schema.Struct({
  ...ofItem,
  type: Schema.Literal("edited"),
  body: Schema.String,
  /** The highest version wins, in any order of arrival; the original is 0. */
  version: Version,
  editedAt: Schema.Date
})

const PlainDeleted = Schema.Struct({ ...ofItem, type: Schema.Literal("deleted") })
const PlainHidden = Schema.Struct({ ...ofItem, type: Schema.Literals(["hidden", "shown"]), at: Schema.Date })

/** An activity on a network as plain data, like one that a connector parses from a webhook. */
const PlainActivity = Schema.Union([PlainPosted, PlainEdited, PlainDeleted, PlainHidden])
export type PlainActivity = typeof PlainActivity.Type

/** What activities have, of whatever type: one may be made of another. */
export const activityNames: ReadonlySet<string> = new Set(
  PlainActivity.members.flatMap(({ fields }) => Object.keys(fields))
)

const textOf = (text: string | null | undefined, rule: (text: string) => Option.Option<string>) =>
  Option.flatMap(Option.fromNullishOr(text), rule)

const routeOf = (networks: NetworkTable, { networkAccountId, source }: PlainActivity): AccountRoute => ({
  network: networks.traitsOf(source).network,
  accountId: Option.some(networkAccountId),
  username: Option.none()
})

const toActivity = (networks: NetworkTable, activity: PlainActivity): InboundActivity => {
  const { externalId, source } = activity
  const of = { route: routeOf(networks, activity), source, externalId }
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
          name: textOf(activity.authorName, nameText),
          username: Option.none(),
          avatarUrl: textOf(activity.authorAvatarUrl, linkText)
        },
        isOwn: activity.isOwn ?? false,
        body: bodyText(activity.body),
        attachments: (activity.attachments ?? []).map(({ type, url }) => ({
          type,
          url: Option.getOrNull(textOf(url, linkText))
        })),
        receivedAt: DateTime.fromDateUnsafe(activity.receivedAt),
        version: 0,
        editedAt: Option.none(),
        permalink: textOf(activity.url, linkText),
        summons: Option.none(),
        operationTag: Option.none(),
        isStandby: false
      })
    case "edited":
      return new Edited({
        ...of,
        body: bodyText(activity.body),
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

const decode = Schema.decodeUnknownEffect(Schema.Struct({ activities: Schema.Array(PlainActivity) }))

/**
 * Normalises texts and links like those of webhooks (social-networks.md §5). Fails with the path of the first fault,
 * before anything is stored.
 */
export const toActivities = (
  activities: ReadonlyArray<PlainActivity>
): Effect.Effect<ReadonlyArray<InboundActivity>, Schema.SchemaError> =>
  Effect.flatMap(Networks, (networks) =>
    Effect.map(decode({ activities }), (decoded) =>
      decoded.activities.map((activity) => toActivity(networks, activity))
    )
  )
