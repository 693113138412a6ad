import * as Option from "effect/Option"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"

const life_s = 7_200
const everything = "tweet.read tweet.write users.read offline.access"

const refused = (error: string, error_description: string): SandboxAnswer => ({
  status: 400,
  body: { error, error_description }
})

/** `POST /2/oauth2/token` with `grant_type=refresh_token`: a new token for two hours, and a new refresh token for the old one. */
export const renewToken = ({ at, tokens }: Scene, ask: Ask): SandboxAnswer => {
  if (ask.text("grant_type") !== "refresh_token") {
    return refused("unsupported_grant_type", "Value passed for the grant_type was invalid.")
  }
  // Confidential clients sign in, public ones name themselves.
  if (!/^Basic .+$/i.test(ask.authorization ?? "") && ask.text("client_id") === undefined) {
    return {
      status: 401,
      body: { error: "unauthorized_client", error_description: "Missing valid authorization header" }
    }
  }
  const given = ask.input("refresh_token")
  const rotated = typeof given === "string" ? tokens.rotate(given) : Option.none()
  if (Option.isNone(rotated)) return refused("invalid_request", "Value passed for the token was invalid.")
  const { next, renewal } = rotated.value
  const { scopes, token } = tokens.issue(renewal, life_s, at)
  return {
    status: 200,
    body: {
      token_type: "bearer",
      expires_in: life_s,
      access_token: token,
      scope: scopes?.join(" ") ?? everything,
      refresh_token: next
    }
  }
}
