import type { Network } from "@loopbox/core/connectors/Source"
import type * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeIds } from "./worldIds.ts"

/** An account that a workspace has connected: whose posts people comment on, and to whom they write. */
export interface SandboxAccount {
  readonly network: Network
  /** The id that webhooks use. */
  readonly accountId: string
  readonly name: string
  readonly username: string
  /** What a request in its name has to carry. */
  readonly accessToken: Redacted.Redacted<string>
}

/** Someone on one network. The same name is the same person, in every world. */
export interface SandboxPerson {
  readonly network: Network
  readonly id: string
  readonly name: string
  readonly username: string
  readonly avatarUrl: string
}

/** What a person wrote. */
export interface Writing {
  readonly account: SandboxAccount
  readonly author: SandboxPerson
  readonly kind: "comment" | "message"
  /** Its id; on X the id of the newest version. */
  readonly id: string
  /** Ids of all versions, oldest first; only X gives new ones. */
  readonly history: ReadonlyArray<string>
  /** The post that it hangs on; for a message none. */
  readonly postId: Option.Option<string>
  /** The comment or message that it answers. */
  readonly parentId: Option.Option<string>
  readonly text: string
  /** A mention of the account, instead of an answer to one of its posts. */
  readonly isMention: boolean
  readonly writtenAt: DateTime.Utc
  readonly edits: number
  readonly isHidden: boolean
  readonly isDeleted: boolean
}

/** Something happened that a network may tell by webhook. */
export interface Happening {
  readonly what: "written" | "edited" | "deleted" | "hidden" | "shown"
  readonly writing: Writing
  readonly at: DateTime.Utc
}

/** The network would not let anybody do this. */
export class SandboxRefused extends Schema.TaggedError<SandboxRefused>()("SandboxRefused", {
  reason: Schema.String
}) {}

/** Whom and what an action is about. What is left out is the first account, its standing post, a person of the cast. */
export interface NewWriting {
  readonly network: Network
  readonly accountId?: string | undefined
  readonly from?: string | undefined
  readonly text: string
  readonly postId?: string | undefined
  readonly parentId?: string | undefined
}

type Outcome = Result.Result<Happening, SandboxRefused>

const refused = (reason: string): Result.Result<never, SandboxRefused> => Result.fail(new SandboxRefused({ reason }))

const hasMessages = (network: Network): boolean => network === "instagram" || network === "facebook"

/** The oldest writings are forgotten beyond this, so that a world left running doesn't fill the memory. */
const mostWritings = 10_000
const mostEdits = 5

/** Tokens of one account that are good, the newest: a workspace each, and what was renewed. */
const mostTokens = 100

/** In whose name a request comes, and by which token. */
export interface TokenHolder {
  readonly account: SandboxAccount
  readonly accessToken: Redacted.Redacted<string>
}

/**
 * The four networks' memory: accounts, people and what they wrote. Synchronous and without time or chance of its own:
 * a seed makes the ids and every action is told the time, so that the same actions make the same world.
 */
export class World {
  private readonly accounts = new Map<string, SandboxAccount>()
  private readonly tokens = new Map<string, ReadonlyArray<Redacted.Redacted<string>>>()
  private readonly people = new Map<string, SandboxPerson>()
  private readonly writings = new Map<string, Writing>()
  private readonly ids: ReturnType<typeof makeIds>

  constructor(seed: number) {
    this.ids = makeIds(seed)
  }

  /** Makes an account known, or replaces it; tokens that it had stay good, for another workspace may hold them. */
  readonly connect = (account: SandboxAccount): void => {
    const name = key(account.network, account.accountId)
    this.accounts.set(name, account)
    const others = (this.tokens.get(name) ?? []).filter((token) => !Equal.equals(token, account.accessToken))
    this.tokens.set(name, [...others, account.accessToken].slice(-mostTokens))
  }

  /** The account that an `Authorization` header stands for. */
  readonly findHolder = (network: Network, authorization: string | undefined): Option.Option<TokenHolder> =>
    Option.fromUndefinedOr(
      this.findAccounts(network)
        .flatMap((account) =>
          (this.tokens.get(key(network, account.accountId)) ?? []).map((accessToken) => ({ account, accessToken }))
        )
        .find(({ accessToken }) => authorization === `Bearer ${Redacted.value(accessToken)}`)
    )

  readonly findAccounts = (network: Network): ReadonlyArray<SandboxAccount> =>
    [...this.accounts.values()].filter((account) => account.network === network)

  readonly findPerson = (network: Network, id: string): Option.Option<SandboxPerson> =>
    Option.fromUndefinedOr(this.people.get(key(network, id)))

  /** By the id of any of its versions; also what was deleted. */
  readonly findWriting = (network: Network, id: string): Option.Option<Writing> =>
    Option.fromUndefinedOr(this.writings.get(key(network, id)))

  /** Whether a person wrote a message to the account, which is Instagram's consent to be shown. */
  readonly hasWrittenTo = (account: SandboxAccount, personId: string): boolean =>
    [...this.writings.values()].some(
      (one) => one.kind === "message" && one.account.accountId === account.accountId && one.author.id === personId
    )

  /** A person comments on a post of the account, or answers a comment. */
  readonly comment = (input: NewWriting, at: DateTime.Utc): Outcome =>
    Result.flatMap(this.account(input), (account) => {
      const parent = Option.flatMap(Option.fromUndefinedOr(input.parentId), (id) => this.findWriting(input.network, id))
      if (input.parentId !== undefined && Option.isNone(Option.filter(parent, (one) => !one.isDeleted))) {
        return refused("There is no such comment to answer.")
      }
      const postId = Option.orElse(
        Option.flatMap(parent, ({ postId }) => postId),
        () => Option.some(input.postId ?? this.ids.standingPost(account))
      )
      // Instagram has two levels: an answer to an answer stands under the top comment.
      const parentId = Option.map(parent, (one) =>
        input.network === "instagram" ? Option.getOrElse(one.parentId, () => one.id) : one.id
      )
      return Result.succeed(this.write(account, input, { kind: "comment", isMention: false, postId, parentId }, at))
    })

  /** A person writes a direct message. */
  readonly message = (input: NewWriting, at: DateTime.Utc): Outcome =>
    hasMessages(input.network)
      ? Result.map(this.account(input), (account) =>
          this.write(
            account,
            input,
            {
              kind: "message",
              isMention: false,
              postId: Option.none(),
              parentId: Option.fromUndefinedOr(input.parentId)
            },
            at
          )
        )
      : refused(`There are no direct messages on ${input.network} here.`)

  /** A person names the account: in a post on X and Threads, in a story on Instagram. */
  readonly mention = (input: NewWriting, at: DateTime.Utc): Outcome =>
    input.network === "facebook"
      ? refused("A mention on Facebook reaches nobody's inbox: comment instead.")
      : Result.map(this.account(input), (account) =>
          this.write(
            account,
            {
              ...input,
              text: input.text.includes(`@${account.username}`) ? input.text : `@${account.username} ${input.text}`
            },
            {
              kind: input.network === "instagram" ? "message" : "comment",
              isMention: true,
              postId: Option.none(),
              parentId: Option.none()
            },
            at
          )
        )

  /** The author edits what they wrote, up to five times. */
  readonly edit = (network: Network, id: string, text: string, at: DateTime.Utc): Outcome =>
    Result.flatMap(this.written(network, id), (writing) => {
      if (network === "threads" || (network === "instagram" && writing.kind === "comment")) {
        return refused(`Nobody can edit a comment on ${network}.`)
      }
      if (writing.edits >= mostEdits) return refused(`It was edited ${mostEdits} times.`)
      const newId = network === "x" ? this.ids.next("x", "comment", writing.account, Option.none()) : writing.id
      const history = newId === writing.id ? writing.history : [...writing.history, newId]
      return Result.succeed(this.keep("edited", { ...writing, id: newId, history, text, edits: writing.edits + 1 }, at))
    })

  /** The author deletes what they wrote. */
  readonly remove = (network: Network, id: string, at: DateTime.Utc): Outcome =>
    Result.map(this.written(network, id), (writing) => this.keep("deleted", { ...writing, isDeleted: true }, at))

  /** The account's people hide a comment, or show it again. */
  readonly hide = (network: Network, id: string, isHidden: boolean, at: DateTime.Utc): Outcome =>
    Result.flatMap(this.written(network, id), (writing) =>
      writing.kind === "message"
        ? refused("A message can't be hidden.")
        : Result.succeed(this.keep(isHidden ? "hidden" : "shown", { ...writing, isHidden }, at))
    )

  private account({ accountId, network }: NewWriting): Result.Result<SandboxAccount, SandboxRefused> {
    const account = accountId === undefined ? this.findAccounts(network)[0] : this.accounts.get(key(network, accountId))
    return account === undefined ? refused(`No such account on ${network} here.`) : Result.succeed(account)
  }

  private written(network: Network, id: string): Result.Result<Writing, SandboxRefused> {
    return Option.match(
      Option.filter(this.findWriting(network, id), (writing) => !writing.isDeleted),
      { onNone: () => refused("Nobody wrote that here."), onSome: Result.succeed }
    )
  }

  private write(
    account: SandboxAccount,
    input: NewWriting,
    place: Pick<Writing, "kind" | "isMention" | "postId" | "parentId">,
    at: DateTime.Utc
  ): Happening {
    const author = this.person(account.network, input.from ?? "Robin Reader")
    const id = this.ids.next(account.network, place.kind, account, place.postId)
    const text = input.text
    const rest = { writtenAt: at, edits: 0, isHidden: false, isDeleted: false }
    return this.keep("written", { account, author, id, history: [id], text, ...place, ...rest }, at)
  }

  private person(network: Network, name: string): SandboxPerson {
    const person = this.ids.person(network, name)
    this.people.set(key(network, person.id), person)
    return person
  }

  private keep(what: Happening["what"], writing: Writing, at: DateTime.Utc): Happening {
    for (const id of writing.history) this.writings.set(key(writing.account.network, id), writing)
    for (const oldest of this.writings.keys()) {
      if (this.writings.size <= mostWritings) break
      this.writings.delete(oldest)
    }
    return { what, writing, at }
  }
}

const key = (network: Network, id: string): string => `${network}:${id}`
