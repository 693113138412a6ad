import type { Feature } from "@loopbox/core/networks/Feature"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Id, OptionalLink, OptionalName, optionalPart, optionalParts, reader, Token } from "../payloads/payload.ts"

/** What is asked of a Page; `instagram` is what is asked of the Instagram account that is linked to it, if it is. */
export const pageFields = (instagram: boolean): string =>
  [
    "id,name,username,access_token,tasks,picture{url}",
    ...(instagram ? ["instagram_business_account{id,username,name,profile_picture_url}"] : [])
  ].join(",")

const Picture = Schema.Struct({ data: Schema.Struct({ url: OptionalLink }) })

const Linked = Schema.Struct({
  id: Id,
  username: OptionalName,
  name: OptionalName,
  profile_picture_url: OptionalLink
})

const Keys = Schema.Struct({ access_token: Token })

const readPageNode = reader(
  Schema.Struct({
    id: Id,
    name: OptionalName,
    username: OptionalName,
    tasks: Schema.optionalKey(Schema.Unknown),
    picture: optionalPart(Picture),
    instagram_business_account: optionalPart(Linked)
  })
)
const readKeys = reader(Keys)
const readTasks = reader(Schema.Struct({ tasks: optionalParts(Id) }))

/** A Page on which a person has a role. */
export interface Page {
  readonly id: string
  readonly name: string
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  /** None where the person has a role without a token. */
  readonly token: Option.Option<Redacted.Redacted<string>>
  /** What the role allows, without the prefix of new Pages; none where nothing is said of it. */
  readonly tasks: Option.Option<ReadonlySet<string>>
  readonly instagram: Option.Option<typeof Linked.Type>
}

/** Pages of the new kind write `PROFILE_PLUS_MODERATE` for `MODERATE`, and may have both (social-networks-write.md A3). */
const withoutPrefix = (task: string): string => task.replace(/^PROFILE_PLUS_/, "")

const tasksIn = (value: unknown): Option.Option<ReadonlySet<string>> =>
  Option.map(Result.getSuccess(readTasks(value)), ({ tasks }) => new Set(tasks.map(withoutPrefix)))

export const readPage = (value: unknown): Result.Result<Page, string> =>
  Result.map(readPageNode(value), ({ id, instagram_business_account, name, picture, tasks, username }) => ({
    id,
    name: Option.getOrElse(name, () => id),
    username,
    avatarUrl: Option.flatMap(picture, ({ data }) => data.url),
    token: Option.map(Result.getSuccess(readKeys(value)), ({ access_token }) => Redacted.make(access_token)),
    tasks: tasks === undefined ? Option.none() : tasksIn({ tasks }),
    instagram: instagram_business_account
  }))

/** Tasks that a feature needs: one of each row. Whoever may moderate or manage may subscribe webhooks. */
const needed: Record<Feature, ReadonlyArray<ReadonlyArray<string>>> = {
  inbox: [["MESSAGING"], ["MODERATE", "MANAGE"]],
  publish: [["CREATE_CONTENT"]],
  moderate: [["MODERATE"]]
}

/** Whether the person's role on a Page allows what the features need; a role of which nothing is said does. */
export const allows = ({ tasks }: Page, features: ReadonlyArray<Feature>): boolean =>
  Option.match(tasks, {
    onNone: () => true,
    onSome: (has) =>
      has.has("FULL_CONTROL") ||
      features.every((feature) => needed[feature].every((row) => row.some((task) => has.has(task))))
  })

/** Each Page once; the same Page may be in several lists, and have its token in only one. */
export const withoutRepetition = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const byId = new Map<string, Page>()
  for (const page of pages) {
    const known = byId.get(page.id)
    if (known === undefined || (Option.isNone(known.token) && Option.isSome(page.token))) byId.set(page.id, page)
  }
  return [...byId.values()]
}
