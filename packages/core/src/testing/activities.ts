import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { Deleted, Edited, HiddenChanged, Posted, unknownPerson, type Person } from "../connectors/InboundActivity.ts"
import { networkOf, type Source } from "../connectors/Source.ts"
import type { InboxEvent } from "../inbox/InboxEvent.ts"
import type { InboxItem } from "../inbox/InboxItem.ts"

export const noon = DateTime.makeUnsafe("2026-11-21T12:00:00.000Z")

/** Which account of a network an activity is of. */
export const routeTo = (source: Source, networkAccountId: string) => ({
  network: networkOf(source),
  accountId: Option.some(networkAccountId),
  username: Option.none<string>()
})

export interface PostedOptions {
  readonly source?: Source
  readonly account?: string
  readonly externalId?: string
  readonly threadKey?: string
  /** Makes the thread one that must be settled. */
  readonly rootOf?: string
  readonly body?: string
  readonly version?: number
  readonly replyTargetId?: string
  readonly author?: Partial<Person>
  readonly isOwn?: boolean
  readonly receivedAt?: DateTime.Utc
  /** The post at the root. */
  readonly post?: string
}

/** A comment by somebody unless said otherwise. */
export const posted = (options: PostedOptions = {}): Posted => {
  const source = options.source ?? "ig_comment"
  const externalId = options.externalId ?? "c1"
  const version = options.version ?? 0
  return new Posted({
    route: routeTo(source, options.account ?? "page"),
    source,
    externalId,
    replyTargetId: options.replyTargetId ?? externalId,
    threadKey:
      options.rootOf === undefined
        ? { _tag: "Known", key: options.threadKey ?? externalId }
        : { _tag: "RootOf", parentExternalId: options.rootOf },
    parentExternalId: Option.fromUndefinedOr(options.rootOf),
    linkedPostId: Option.fromUndefinedOr(options.post),
    author: {
      ...unknownPerson,
      id: Option.some("ann"),
      username: Option.some("ann"),
      name: Option.some("Ann"),
      ...options.author
    },
    isOwn: options.isOwn ?? false,
    body: options.body ?? "Hello",
    attachments: [],
    receivedAt: options.receivedAt ?? noon,
    version,
    editedAt: version === 0 ? Option.none() : Option.some(DateTime.add(noon, { minutes: version })),
    permalink: Option.none(),
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })
}

interface OfItem {
  readonly source?: Source
  readonly account?: string
  readonly externalId?: string
}

const ofItem = ({ account = "page", externalId = "c1", source = "ig_comment" }: OfItem) => ({
  route: routeTo(source, account),
  source,
  externalId
})

export const edited = (version: number, body: string, options: OfItem & { readonly whole?: Posted } = {}): Edited =>
  new Edited({
    ...ofItem(options),
    body,
    version,
    editedAt: DateTime.add(noon, { minutes: version }),
    whole: Option.fromUndefinedOr(options.whole)
  })

export const deleted = (options: OfItem = {}): Deleted => new Deleted(ofItem(options))

export const hidden = (version: number, isHidden: boolean, options: OfItem = {}): HiddenChanged =>
  new HiddenChanged({ ...ofItem(options), isHidden, version, asOf: DateTime.add(noon, { minutes: version }) })

/** The item that an event tells of, if it is one of those. */
export const inboxItemOf = (event: InboxEvent): InboxItem | undefined =>
  event._tag === "NewItem" || event._tag === "ItemUpdated" ? event.item : undefined
