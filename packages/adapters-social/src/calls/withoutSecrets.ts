import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { NetworkRequest, WriteBody } from "./NetworkRequest.ts"

/** Members of a form that are secrets. */
const secretMembers = ["client_secret", "code", "code_verifier", "refresh_token", "token"]

/** An app's own token has its secret behind a bar. */
const withParts = (secret: string): ReadonlyArray<string> => [secret, ...secret.split("|").slice(1)]

/** Everything secret that a request says, in each form in which it may be said back; nothing that is hardly a secret. */
const secretsOf = ({ accessToken, basic, query }: NetworkRequest, body: WriteBody | undefined) => {
  const form: Readonly<Record<string, string>> = body !== undefined && "form" in body ? body.form : {}
  const plain = [
    ...(accessToken === undefined ? [] : [Redacted.value(accessToken)]),
    ...Object.values(query).flatMap((value) => (typeof value === "string" ? [] : [Redacted.value(value)])),
    ...Object.entries(form).flatMap(([name, value]) => (secretMembers.includes(name) ? [value] : []))
  ].flatMap(withParts)
  const password = basic === undefined ? undefined : Redacted.value(basic.password)
  const signedBy =
    basic === undefined || password === undefined
      ? []
      : [password, Buffer.from(`${basic.username}:${password}`).toString("base64")]
  const all = [...plain, ...signedBy].flatMap((secret) => [secret, encodeURIComponent(secret)])
  return [...new Set(all)].filter(({ length }) => length >= 4).toSorted((one, other) => other.length - one.length)
}

/** No answer of a network is nested deeper. */
const mostLevels = 30

const cleaned = (value: unknown, clean: (text: string) => string, levels: number): unknown => {
  if (typeof value === "string") return clean(value)
  if (typeof value !== "object" || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((one) => cleaned(one, clean, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), cleaned(one, clean, levels - 1)]))
}

/** The members by which networks refuse, also with a 200. */
const refuses = (body: unknown): boolean =>
  Predicate.isObject(body) &&
  ["error", "errors", "error_type", "error_message"].some((name) => body[name] !== undefined && body[name] !== null)

/**
 * A refusal without what was secret in the request that it refuses: networks quote tokens, codes and whole requests, in
 * any member of their answers, and what they say stands in errors, logs and spans. Other answers stay as they are: they
 * may give a token.
 */
export const withoutSecrets = (
  request: NetworkRequest,
  sent: WriteBody | undefined,
  status: number,
  body: unknown
): unknown => {
  if (status < 400 && !refuses(body)) return body
  const secrets = secretsOf(request, sent)
  return cleaned(body, (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "<token>"), text), mostLevels)
}
