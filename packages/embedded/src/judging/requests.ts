import * as Predicate from "effect/Predicate"
import type { ListRequest } from "../facade/listRequest.ts"
import { aNumber, isRecord, type Judge, membersOf, moment, must, needs, optional, text } from "./Judge.ts"
import type { Argument } from "./judged.ts"

type MembersOf<Request> = Readonly<Record<keyof Request & string, Judge>>

/** An object with these members and no other; the compiler tells when one is missing here. */
export const requestOf = <Request>(members: MembersOf<Request>): Judge =>
  membersOf(members, `an object of ${Object.keys(members).join(", ")}`)

/**
 * The same of a request that may be a record of ours that is given back, as `{ ...account, name }`: it is known by its id, and
 * what else such a record has is left alone.
 */
export const orRecord = <Request>(record: ReadonlySet<string>, members: MembersOf<Request>): Judge => {
  const plain = requestOf<Request>(members)
  const givenBack = membersOf(members, "", record)
  return (given, name) => (isRecord(given) && "id" in given ? givenBack(given, name) : plain(given, name))
}

/** The last argument before the options, which may be left out. */
export const mayRequest = <Request>(members: MembersOf<Request>): Argument => {
  const judge = requestOf<Request>(members)
  return ["request", (given, name) => (given === undefined ? [] : judge(given, name))]
}

export const id: Argument = ["id", text]
export const workspaceId: Argument = ["workspaceId", text]
export const texted = optional(text)

/** Where a page ended; its values are judged where they are read. */
export const placeBy = (time: string): Judge => {
  const judges: Readonly<Record<string, Judge>> = { [time]: moment, id: text }
  const what = `what the page before gave as next, { ${time}, id }`
  const judge = needs([time, "id"], (given, name) =>
    isRecord(given)
      ? Object.entries(judges).flatMap(([member, one]) =>
          given[member] === undefined ? [] : one(given[member], `${name}.${member}`)
        )
      : [`${name} must be ${what}`]
  )
  return optional(judge)
}

export const limit = optional(aNumber)

export const list = { limit, after: placeBy("createdAt") } satisfies Record<keyof ListRequest, Judge>

/** An explicit `undefined` is told by whoever enters the scope: it is probably a failed look-up. */
export const scope: Argument = [
  "scope",
  needs(
    ["workspaceId"],
    membersOf({ workspaceId: text, externalUserId: texted }, "{ workspaceId } or { workspaceId, externalUserId }")
  )
]

export const assignee: Judge = (given, name) =>
  given === undefined || given === null || Predicate.isString(given) || (isRecord(given) && given["nobody"] === true)
    ? []
    : [`${name} must be a text, or { nobody: true }`]

/** Of one `undefined` is a look-up that failed. */
export const textOrNull = must((given) => given === null || Predicate.isString(given), "be a text, or null")
