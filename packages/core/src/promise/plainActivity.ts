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
} from "../connectors/InboundActivity.ts"
import { bodyText, idText, linkText, nameText } from "../connectors/networkText.ts"
import { networkOf, Source } from "../connectors/Source.ts"

const Id = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Option.isSome(idText(text)) ? undefined : "an id has 1 to 512 characters, and no NUL"
  )
)
const OptionalId = Schema.optional(Schema.NullOr(Id))
const OptionalText = Schema.optional(Schema.NullOr(Schema.String))
const Version = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What every activity says: which account of the source's network it is of, and which item. */
const ofItem = {
  source: Source,
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
  /** Links are kept only as http or https, of at most 2,048 characters. */
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
  /** The higher wins, whichever comes first; the original is 0. */
  version: Version,
  editedAt: Schema.Date
})

const PlainDeleted = Schema.Struct({ ...ofItem, type: Schema.Literal("deleted") })
const PlainHidden = Schema.Struct({ ...ofItem, type: Schema.Literals(["hidden", "shown"]), at: Schema.Date })

/** Something that happened on a network, as plain data: what a connector would make of a webhook. */
const PlainActivity = Schema.Union([PlainPosted, PlainEdited, PlainDeleted, PlainHidden])
export type PlainActivity = typeof PlainActivity.Type

const textOf = (text: string | null | undefined, rule: (text: string) => Option.Option<string>) =>
  Option.flatMap(Option.fromNullishOr(text), rule)

const routeOf = ({ networkAccountId, source }: PlainActivity): AccountRoute => ({
  network: networkOf(source),
  accountId: Option.some(networkAccountId),
  username: Option.none()
})

const toActivity = (activity: PlainActivity): InboundActivity => {
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

const decode = Schema.decodeUnknownEffect(Schema.Array(PlainActivity))

/**
 * What was given, its texts and links as those of webhooks are kept (social-networks.md §5). Fails with what is wrong and
 * where, before anything is stored.
 */
export const toActivities = (
  activities: ReadonlyArray<PlainActivity>
): Effect.Effect<ReadonlyArray<InboundActivity>, Schema.SchemaError> =>
  Effect.map(decode(activities), (all) => all.map(toActivity))
