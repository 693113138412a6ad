import * as Option from "effect/Option"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import { isExpired } from "../Tokens.ts"
import type { Grant } from "../Tokens.ts"
import { forbidden, unauthorized } from "./xAnswers.ts"

/** Why X does not do what a token asks for; undefined when it does. */
export const xRefusal = (
  { at, tokens }: Scene,
  _ask: Ask,
  grant: Option.Option<Grant>,
  scope: string | undefined
): SandboxAnswer | undefined => {
  if (Option.isNone(grant) || grant.value.isRevoked || isExpired(grant.value, at)) return unauthorized
  return scope === undefined || tokens.permits(grant.value, scope)
    ? undefined
    : forbidden("You are not permitted to perform this action.")
}
