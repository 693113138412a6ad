import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { Issue } from "../../api/ErrorBody.ts"

/** The request is not valid: every fault, with its place. Each group answers with its own status and code. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  issues: Schema.Array(Issue)
}) {}

/** One fault. */
export const invalid = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ issues: [{ path, message }] })

const unknownMember = "is not known here"
const answerMember = "is told by answers only: leave it out"

/** Whether a fault is that of a member which a request does not have. */
export const isUnknownMember = ({ message }: Issue): boolean => message === unknownMember || message === answerMember

/** The places of what answers tell: `id`, or `targets[].id` of what stands in a list. */
export const placesOf = ({ fields }: { readonly fields: object }, within = ""): ReadonlyArray<string> =>
  Object.keys(fields).map((name) => `${within}${name}`)

/** Whoever gives back what was read is told that some of it can't be given, not that nobody knows it. */
export const tellAnswerMembers =
  (places: ReadonlyArray<string>) =>
  (issue: Issue): Issue =>
    issue.message === unknownMember && places.includes(issue.path.replaceAll(/\[\d+\]/g, "[]"))
      ? { ...issue, message: answerMember }
      : issue

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    return issue._tag === "UnexpectedKey" ? unknownMember : SchemaIssue.defaultLeafHook(issue)
  }
})

const kinds: Readonly<Record<string, string>> = { object: "an object", string: "a string", number: "a number" }

/** What effect says of a type, as a sentence's end, and without the value that was given. */
const toMessage = (message: string): string => {
  const expected = /^Expected (.*?)(?:, got .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message
  // A text whose length is bounded has words of its own; what is left are lists.
  const bound = /^a value with a length of (at (?:most|least) \d+)$/.exec(expected)?.[1]
  if (bound !== undefined) return `must have ${bound} entries`
  return `must be ${expected
    .split(" | ")
    .map((kind) => kinds[kind] ?? kind)
    .join(" or ")}`
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  typeof segment === "object" ? segment.key : segment

/** A place in a body, as rules name it, too: `targets[0].text`. */
const placeOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>) =>
  path
    .map(keyOf)
    .map((key, n) => (typeof key === "number" ? `[${key}]` : n === 0 ? String(key) : `.${String(key)}`))
    .join("")

/** What a schema found, by path; `whole` names the value itself. */
export const toIssues = (issue: SchemaIssue.Issue, whole: string): ReadonlyArray<Issue> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    path: path.length === 0 ? whole : placeOf(path),
    message: toMessage(message)
  }))

/** Faults that the sentence for a person names; `details` has them all. */
const named = 10

/** The faults as one sentence. */
export const sentenceOf = (issues: ReadonlyArray<Issue>): string => {
  const faults = issues.slice(0, named).map(({ message, path }) => `${path} ${message}`)
  if (issues.length > named) faults.push(`and ${issues.length - named} more faults, see details`)
  return `The request is not valid: ${faults.join("; ")}.`
}
