import * as Schema from "effect/Schema"

/** What a host says when it refuses. */
export const Refusal = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(
    Schema.Struct({
      issues: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))),
      /** Of a network that the host has no app for. */
      settings: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
})

/** One sentence, with the names of the members that are wrong. */
export const sentenceOf = ({ code, details, message }: typeof Refusal.Type): string => {
  const issues = [
    ...(details?.issues ?? [])
      .filter((issue) => !message.includes(issue.message))
      .map((issue) => `${issue.path} ${issue.message}`),
    ...(details?.settings ?? []).filter((name) => !message.includes(name)).map((name) => `${name} is not set`)
  ]
  return `${message.replace(/\.$/, "")}${issues.length === 0 ? "" : `: ${issues.join("; ")}`} (${code}).`
}

export const isUnreachable = (url: string): string => `${url} cannot be reached. Is the host running?`
export const isSomebodyElse = (url: string, status: number): string =>
  `${url} answered ${status}, but not as Loopbox does. Is this the address of a host?`
export const isSilent = (url: string, within: string): string => `${url} did not answer within ${within}.`
