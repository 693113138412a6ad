import * as Option from "effect/Option"
import { authorityFault } from "../../kernel/authorityFault.ts"
import type { PublishDescription } from "../../networks/publishing/NetworkPublish.ts"
import type { PublishOptions } from "../../networks/publishing/Publication.ts"
import type { OptionRule, PublishFault } from "../../networks/publishing/PublishRules.ts"

const isAddress = (text: string): boolean => {
  const protocol = URL.parse(text)?.protocol
  return (protocol === "https:" || protocol === "http:") && Option.isNone(authorityFault(text))
}

/** What a value must be, or undefined if it is. */
const expected = ({ value: rule }: OptionRule, value: string | boolean): string | undefined => {
  switch (rule.type) {
    case "choice":
      return typeof value === "string" && rule.of.includes(value) ? undefined : `one of ${rule.of.join(", ")}`
    case "flag":
      return typeof value === "boolean" ? undefined : "true or false"
    case "text":
      return typeof value === "string" && Array.from(value).length <= rule.most
        ? undefined
        : `a text of at most ${rule.most} characters`
    case "address":
      return typeof value === "string" && isAddress(value) ? undefined : "an http or https address"
  }
}

const unknown = (path: string, message: string): PublishFault => ({ path, code: "unknown_option", message })

const judgeValue = (
  rules: ReadonlyArray<OptionRule>,
  name: string,
  value: string | boolean
): ReadonlyArray<PublishFault> => {
  const path = `options.${name}`
  const rule = rules.find((one) => one.name === name)
  if (rule === undefined) {
    const known = [...rules.map((one) => one.name), "alt_texts"].join(", ")
    return [unknown(path, `The network knows no such option. It knows ${known}.`)]
  }
  const wanted = expected(rule, value)
  return wanted === undefined
    ? []
    : [{ path, code: "invalid_option", message: `It must be ${wanted}.`, actual: String(value), limit: wanted }]
}

/** What of a target's options the network does not take. Paths are those of the target. Pure. */
export const judgeOptions = (
  { options: rules, text }: Pick<PublishDescription, "options" | "text">,
  { altTexts, values }: PublishOptions,
  mediaIds: ReadonlyArray<string>
): ReadonlyArray<PublishFault> => [
  ...Object.entries(values).flatMap(([name, value]) => judgeValue(rules, name, value)),
  ...Object.entries(altTexts).flatMap(([id, altText]): ReadonlyArray<PublishFault> => {
    const path = `options.alt_texts.${id}`
    if (!mediaIds.includes(id)) return [unknown(path, "The target has no such file.")]
    const actual = Array.from(altText).length
    const message = `An alternative text may have at most ${text.altText} characters.`
    return actual > text.altText ? [{ path, code: "exceeds_max_length", message, actual, limit: text.altText }] : []
  })
]
