import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { NewWriting } from "../World.ts"
import type { AccountProfile, PostedMedia } from "../Writing.ts"

/** Why a container, or a video, can't become a post: a subcode of Instagram, a word of Threads. */
export type Failure = string

/** What waits to be published. */
export interface Container {
  readonly id: string
  readonly account: AccountProfile
  /** The post that it will be; none of what is only part of one. */
  readonly draft: Option.Option<NewWriting>
  /** What it shows. */
  readonly media: Option.Option<PostedMedia>
  readonly failure: Option.Option<Failure>
  readonly createdAt: DateTime.Utc
  readonly readyAt: DateTime.Utc
  readonly endsAt: DateTime.Utc
  /** Published, or used as a part of something. */
  readonly isUsed: boolean
}

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "ERROR" | "PUBLISHED" | "EXPIRED"

type NewContainer = Pick<Container, "id" | "account" | "draft" | "media" | "failure"> & {
  /** When its parts are ready. */
  readonly readyAt?: DateTime.Utc | undefined
}

const mostContainers = 10_000

/** Containers of Instagram and Threads: posts on their way, each is published once. */
export class Containers {
  private readonly containers = new Map<string, Container>()

  readonly add = (container: NewContainer, delay_ms: number, at: DateTime.Utc): void => {
    const { id, readyAt = at } = container
    this.containers.set(id, {
      ...container,
      createdAt: at,
      readyAt: DateTime.max(readyAt, DateTime.add(at, { milliseconds: delay_ms })),
      endsAt: DateTime.add(at, { hours: 24 }),
      isUsed: false
    })
    for (const oldest of this.containers.keys()) {
      if (this.containers.size <= mostContainers) break
      this.containers.delete(oldest)
    }
  }

  readonly find = (id: string): Option.Option<Container> => Option.fromUndefinedOr(this.containers.get(id))

  /** One of this account. */
  readonly ofAccount = ({ accountId, network }: AccountProfile, id: string): Option.Option<Container> =>
    Option.filter(this.find(id), ({ account }) => account.network === network && account.accountId === accountId)

  /** How many an account has made since then. */
  readonly countSince = ({ accountId, network }: AccountProfile, since: DateTime.Utc): number =>
    [...this.containers.values()].filter(
      ({ account, createdAt }) =>
        account.network === network && account.accountId === accountId && DateTime.isGreaterThan(createdAt, since)
    ).length

  readonly use = ({ id }: Container): void => {
    const container = this.containers.get(id)
    if (container !== undefined) this.containers.set(id, { ...container, isUsed: true })
  }
}

export const statusOf = ({ draft, endsAt, failure, isUsed, readyAt }: Container, at: DateTime.Utc): ContainerStatus => {
  if (isUsed && Option.isSome(draft)) return "PUBLISHED"
  if (DateTime.isLessThanOrEqualTo(endsAt, at)) return "EXPIRED"
  if (DateTime.isGreaterThan(readyAt, at)) return "IN_PROGRESS"
  return Option.isSome(failure) ? "ERROR" : "FINISHED"
}
