import { type Network, networks } from "../../names.ts"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { placeUnder } from "./placeUnder.ts"
import { asPerson } from "../World.ts"
import type { Subscriptions } from "../Subscriptions.ts"
import type { World } from "../World.ts"
import { SandboxRefused } from "../Writing.ts"
import { enclosures } from "../Writing.ts"
import type { AccountProfile, Enclosure, Happening, Surface, Writing } from "../Writing.ts"

/** Whom and what an action is about. What is left out is the first account, its standing post, a person of the cast. */
export interface PersonWrites {
  readonly network: Network
  readonly accountId?: string | undefined
  readonly from?: string | undefined
  readonly text: string
  /** Of a message or a comment of Meta's networks; the text may then be "". */
  readonly attachment?: Enclosure | undefined
  /** Of a comment; `post` if left out. */
  readonly surface?: Surface | undefined
  readonly postId?: string | undefined
  readonly parentId?: string | undefined
}

type Outcome = Result.Result<Happening, SandboxRefused>
type Act<A> = (world: World, input: A, at: DateTime.Utc) => Outcome

const mostEdits = 5

const refused = (reason: string): Result.Result<never, SandboxRefused> => Result.fail(new SandboxRefused({ reason }))

const accountOf = (world: World, { accountId, network }: PersonWrites): Result.Result<AccountProfile, SandboxRefused> =>
  Result.fromOption(
    accountId === undefined
      ? Option.fromUndefinedOr(world.findAccounts(network)[0])
      : world.findAccount(network, accountId),
    () => new SandboxRefused({ reason: `No such account on ${network} here.` })
  )

const authorOf = (world: World, { from = "Robin Reader", network }: PersonWrites) => world.makePerson(network, from)

/** A person comments on a post of the account, or answers a comment. */
export const comment: Act<PersonWrites> = (world, input, at) =>
  Result.flatMap(accountOf(world, input), (account) => {
    const parent = Option.flatMap(Option.fromUndefinedOr(input.parentId), (id) => world.findWriting(input.network, id))
    if (input.parentId !== undefined && !Option.exists(parent, (one) => !one.isDeleted && one.kind !== "message")) {
      return refused("There is no such comment to answer.")
    }
    if (input.network === "threads" && Option.exists(parent, (one) => one.isMention)) {
      return refused("That thread is not the account's, so the network tells nothing of it.")
    }
    if (!mayHang(input.network, "comment", input.attachment)) {
      return refused(`A comment on ${input.network} can't have that.`)
    }
    const { surface = Option.match(parent, { onNone: () => "post", onSome: (one) => one.surface }) } = input
    if (!maySurface(input.network, surface)) return refused(`Nobody comments on ${surface}s of ${input.network} here.`)
    const author = authorOf(world, input)
    const place =
      surface === "post" || Option.isSome(parent)
        ? placeUnder(world, account, parent, input.postId, at)
        : { postId: Option.some(world.ids.unlistedMedia(account, surface)), parentId: Option.none() }
    const addressee = Option.some(asPerson(account))
    const enclosed = Option.fromUndefinedOr(input.attachment)
    const written = {
      account,
      author,
      kind: "comment",
      text: input.text,
      enclosed,
      surface,
      addressee,
      ...place
    } as const
    return Result.succeed(world.write(written, at))
  })

/** Instagram's comments have words or a picture that moves, Facebook's also photos and videos, the others' words. */
const hangingOn: Record<"comment" | "message", Partial<Record<Network, ReadonlySet<Enclosure>>>> = {
  comment: {
    instagram: new Set(["gif", "sticker"]),
    facebook: new Set(["gif", "sticker", "image", "video"])
  },
  message: {
    instagram: new Set(enclosures),
    facebook: new Set(enclosures.filter((one) => one !== "story_reply"))
  }
}

const mayHang = (network: Network, kind: "comment" | "message", attachment: Enclosure | undefined): boolean =>
  attachment === undefined || hangingOn[kind][network]?.has(attachment) === true

const maySurface = (network: Network, surface: Surface): boolean =>
  surface === "post" || network === "instagram" || (network === "facebook" && surface === "ad")

/** A person writes a direct message. */
export const message: Act<PersonWrites> = (world, input, at) =>
  hasMessages(input.network) && mayHang(input.network, "message", input.attachment)
    ? Result.map(accountOf(world, input), (account) => {
        const author = authorOf(world, input)
        const parentId = Option.fromUndefinedOr(input.parentId)
        const otherParty = Option.some(author)
        const enclosed = Option.fromUndefinedOr(input.attachment)
        return world.write({ account, author, kind: "message", text: input.text, enclosed, parentId, otherParty }, at)
      })
    : refused(`There are no such direct messages on ${input.network} here.`)

const hasMessages = (network: Network): boolean => network === "instagram" || network === "facebook"

/** A person names the account: in a post on X and Threads, in a story on Instagram. */
export const mention: Act<PersonWrites> = (world, input, at) =>
  input.network === "facebook"
    ? refused("A mention on Facebook reaches nobody's inbox: comment instead.")
    : Result.map(accountOf(world, input), (account) => {
        const author = authorOf(world, input)
        const handle = `@${account.username}`
        const text = input.text.includes(handle) ? input.text : `${handle} ${input.text}`
        return input.network === "instagram"
          ? world.write(
              { account, author, kind: "message", text, isMention: true, otherParty: Option.some(author) },
              at
            )
          : world.write({ account, author, kind: "comment", text, isMention: true }, at)
      })

/** A person quotes a post of the account, on X. */
export const quote: Act<PersonWrites> = (world, input, at) =>
  input.network === "x"
    ? Result.map(accountOf(world, input), (account) => {
        const quotedId = input.postId ?? world.ids.standingPost(account)
        world.findOrMakePost(account, quotedId, at)
        const author = authorOf(world, input)
        return world.write({ account, author, kind: "comment", text: input.text, quotedId: Option.some(quotedId) }, at)
      })
    : refused(`Nobody quotes on ${input.network} here.`)

/** The account's people publish a post by hand. */
export const post: Act<PersonWrites> = (world, input, at) =>
  Result.map(accountOf(world, input), (account) =>
    world.write({ account, author: asPerson(account), kind: "post", text: input.text, isOwn: true }, at)
  )

/** Something that a person wrote, by its id; on whichever network has it, if none is named. */
export interface WritingName {
  readonly network?: Network | undefined
  readonly id: string
}

const written = (world: World, { id, network }: WritingName): Result.Result<Writing, SandboxRefused> =>
  Result.fromOption(
    Option.filter(
      Option.firstSomeOf((network === undefined ? networks : [network]).map((one) => world.findWriting(one, id))),
      (writing) => !writing.isDeleted
    ),
    () => new SandboxRefused({ reason: `Nobody wrote ${id}${network === undefined ? "" : ` on ${network}`} here.` })
  )

/** The author edits what they wrote, up to five times. */
export const edit: Act<WritingName & { readonly text: string }> = (world, { text, ...named }, at) =>
  Result.flatMap(written(world, named), (writing) => {
    const { network } = writing.account
    if (network === "threads" || (network === "instagram" && writing.kind === "comment")) {
      return refused(`Nobody can edit a comment on ${network}.`)
    }
    if (writing.edits >= mostEdits) return refused(`It was edited ${mostEdits} times.`)
    const newId = network === "x" ? world.ids.next("x", writing.kind, writing.account, Option.none()) : writing.id
    const history = newId === writing.id ? writing.history : ([...writing.history, newId] as const)
    return Result.succeed(
      world.change("edited", { ...writing, id: newId, history, text, edits: writing.edits + 1 }, at)
    )
  })

/** The author deletes what they wrote. */
export const remove: Act<WritingName> = (world, named, at) =>
  Result.map(written(world, named), (writing) => world.change("deleted", { ...writing, isDeleted: true }, at))

/** The account's people hide a comment, or show it again. */
export const hide: Act<WritingName & { readonly isHidden: boolean }> = (world, { isHidden, ...named }, at) =>
  Result.flatMap(written(world, named), (writing) =>
    writing.kind === "comment"
      ? Result.succeed(world.change(isHidden ? "hidden" : "shown", { ...writing, isHidden, wasHidden: true }, at))
      : refused("Only a comment can be hidden.")
  )

/** Which accounts' webhooks begin or end; what is left out is any. */
export interface Subscribing {
  readonly network?: Network | undefined
  readonly accountId?: string | undefined
  readonly isSubscribed: boolean
}

/** The developer subscribes the app to accounts, or ends it, as in the networks' dashboards. */
export const subscribe = (
  world: World,
  subscriptions: Subscriptions,
  { accountId, isSubscribed, network }: Subscribing
): Result.Result<number, SandboxRefused> => {
  const meant = (network === undefined ? networks : [network])
    .flatMap(world.findAccounts)
    .filter((account) => accountId === undefined || account.accountId === accountId)
  return meant.length === 0
    ? refused("There is no such account here.")
    : Result.succeed(meant.filter((account) => subscriptions.set(account, isSubscribed)).length)
}
