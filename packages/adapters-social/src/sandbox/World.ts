import type { Network } from "../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { LikeLock } from "./LikeLock.ts"
import { makeIds } from "./worldIds.ts"
import type { AccountProfile, Enclosure, Happening, SandboxPerson, Surface, Writing } from "./Writing.ts"

/** What an author chooses; the world adds ids and times. */
export interface NewWriting extends Pick<Writing, "account" | "author" | "kind" | "text"> {
  readonly postId?: Option.Option<string>
  readonly parentId?: Option.Option<string>
  readonly quotedId?: Option.Option<string>
  readonly otherParty?: Option.Option<SandboxPerson>
  readonly addressee?: Option.Option<SandboxPerson>
  readonly enclosed?: Option.Option<Enclosure>
  readonly posted?: Writing["posted"]
  /** Another id by which it is found: that of a Page's video. */
  readonly otherId?: string | undefined
  /** It isn't shown before. */
  readonly visibleFrom?: DateTime.Utc | undefined
  readonly surface?: Surface
  readonly isMention?: boolean
  readonly isOwn?: boolean
  readonly sent?: Writing["sent"]
}

/** The oldest writings are forgotten beyond this, so that a world left running doesn't fill the memory. */
const mostWritings = 100_000

const key = (network: Network, id: string): string => `${network}:${id}`

/** Newest first on X is by id: what is edited gets a new one, and comes up again. */
const byIdDescending = (one: Writing, other: Writing): number =>
  other.id.length - one.id.length || (other.id < one.id ? -1 : 1)

/**
 * The four networks' memory: accounts, people and what was written. Synchronous and without time or chance of its own:
 * a seed makes the ids and every action is told the time, so that the same actions make the same world.
 */
export class World {
  readonly ids: ReturnType<typeof makeIds>
  /** How long reads don't show what is written from now on, 0 to 60,000. */
  lag_ms = 0
  readonly likeLock = new LikeLock()
  private readonly accounts = new Map<string, AccountProfile>()
  private readonly people = new Map<string, SandboxPerson>()
  private readonly writings = new Map<string, Writing>()
  /** First ids of what belongs together, in the order of writing. */
  private readonly lists = new Map<string, Set<string>>()

  constructor(seed: number) {
    this.ids = makeIds(seed)
  }

  /** Makes an account known, or renews its names. It has a post from then on, which people comment on. */
  readonly connect = ({ accountId, name, network, username }: AccountProfile, at: DateTime.Utc): void => {
    const account = { network, accountId, name, username }
    this.accounts.set(key(network, accountId), account)
    this.findOrMakePost(account, this.ids.standingPost(account), at)
  }

  readonly findAccounts = (network: Network): ReadonlyArray<AccountProfile> =>
    [...this.accounts.values()].filter((account) => account.network === network)

  readonly findAccount = (network: Network, accountId: string): Option.Option<AccountProfile> =>
    Option.fromUndefinedOr(this.accounts.get(key(network, accountId)))

  readonly findPerson = (network: Network, id: string): Option.Option<SandboxPerson> =>
    Option.fromUndefinedOr(this.people.get(key(network, id)))

  /** By the id of any of its versions; also what was deleted. */
  readonly findWriting = (network: Network, id: string): Option.Option<Writing> =>
    Option.fromUndefinedOr(this.writings.get(key(network, id)))

  /** What hangs on a post, newest first; also what was deleted, and what can't be seen yet. */
  readonly ofPost = (network: Network, postId: string): ReadonlyArray<Writing> =>
    this.list(network, `post ${network} ${postId}`)

  /** Direct answers to a comment, newest first; also what was deleted, and what can't be seen yet. */
  readonly answersTo = (network: Network, commentId: string): ReadonlyArray<Writing> =>
    this.list(network, `answers ${network} ${commentId}`)

  /** Messages between an account and a person, newest first; also what was deleted, and what can't be seen yet. */
  readonly ofTalk = ({ accountId, network }: AccountProfile, personId: string): ReadonlyArray<Writing> =>
    this.list(network, `talk ${network} ${accountId} ${personId}`)

  /** Whatever was written by or to an account, newest first; also what was deleted, and what can't be seen yet. */
  readonly ofAccount = ({ accountId, network }: AccountProfile): ReadonlyArray<Writing> =>
    this.list(network, `account ${network} ${accountId}`)

  /** The post of this id; people may comment on one that nobody has published yet. */
  readonly findOrMakePost = (account: AccountProfile, id: string, at: DateTime.Utc): Writing =>
    Option.getOrElse(this.findWriting(account.network, id), () =>
      this.store(
        account.network,
        id,
        { account, author: asPerson(account), kind: "post", text: greeting(account), isOwn: true },
        at,
        at
      )
    )

  readonly write = (writing: NewWriting, at: DateTime.Utc): Happening => {
    const { account, kind, postId = Option.none() } = writing
    const id = this.ids.next(account.network, kind, account, postId)
    const visibleAt = DateTime.max(writing.visibleFrom ?? at, DateTime.add(at, { milliseconds: this.lag_ms }))
    return { what: "written", writing: this.store(account.network, id, writing, at, visibleAt), at }
  }

  readonly change = (what: Happening["what"], writing: Writing, at: DateTime.Utc): Happening => {
    for (const id of writing.history) this.writings.set(key(writing.account.network, id), writing)
    return { what, writing, at }
  }

  readonly makePerson = (network: Network, name: string): SandboxPerson => {
    const person = this.ids.person(network, name)
    this.people.set(key(network, person.id), person)
    return person
  }

  private store(
    network: Network,
    id: string,
    { otherId, visibleFrom: _, ...input }: NewWriting,
    at: DateTime.Utc,
    visibleAt: DateTime.Utc
  ): Writing {
    const writing: Writing = {
      postId: Option.none(),
      parentId: Option.none(),
      quotedId: Option.none(),
      otherParty: Option.none(),
      addressee: Option.none(),
      enclosed: Option.none(),
      posted: Option.none(),
      surface: "post",
      isMention: false,
      isOwn: false,
      sent: Option.none(),
      ...input,
      id,
      history: otherId === undefined ? [id] : [id, otherId],
      writtenAt: at,
      visibleAt,
      edits: 0,
      isHidden: false,
      isLiked: false,
      isAnsweredPrivately: false,
      wasHidden: false,
      isDeleted: false
    }
    for (const known of writing.history) this.writings.set(key(network, known), writing)
    for (const name of listsOf(writing)) {
      const list = this.lists.get(name) ?? new Set()
      this.lists.set(name, list.add(id))
    }
    for (const oldest of this.writings.values()) {
      if (this.writings.size <= mostWritings) break
      this.forget(oldest)
    }
    return writing
  }

  private forget(writing: Writing): void {
    for (const id of writing.history) this.writings.delete(key(writing.account.network, id))
    for (const name of listsOf(writing)) this.lists.get(name)?.delete(writing.history[0])
  }

  private list(network: Network, name: string): ReadonlyArray<Writing> {
    const ids = [...(this.lists.get(name) ?? [])].toReversed()
    const writings = ids.flatMap((id) => Option.toArray(this.findWriting(network, id)))
    return network === "x" ? writings.toSorted(byIdDescending) : writings
  }
}

const listsOf = ({ account, otherParty, parentId, postId }: Writing): ReadonlyArray<string> => [
  `account ${account.network} ${account.accountId}`,
  ...Option.toArray(postId).map((id) => `post ${account.network} ${id}`),
  ...Option.toArray(parentId).map((id) => `answers ${account.network} ${id}`),
  ...Option.toArray(otherParty).map(({ id }) => `talk ${account.network} ${account.accountId} ${id}`)
]

const greeting = ({ name }: AccountProfile): string => `New at ${name}: see what came in this week`

/** An account as the author of what it writes. */
export const asPerson = ({ accountId, name, network, username }: AccountProfile): SandboxPerson => ({
  network,
  id: accountId,
  name,
  username,
  avatarUrl: `https://avatars.example/${network}/${accountId}_normal.png`
})

/** Whether a read at this moment shows it. */
export const isVisible = ({ isDeleted, visibleAt }: Writing, at: DateTime.Utc): boolean =>
  !isDeleted && DateTime.isLessThanOrEqualTo(visibleAt, at)
