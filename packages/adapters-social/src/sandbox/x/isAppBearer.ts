import * as Redacted from "effect/Redacted"
import type { Ask, Scene } from "../Operation.ts"

/** Whether the app asks in its own name. */
export const isAppBearer = ({ logins: { apps } }: Scene, { authorization }: Ask): boolean => {
  const { bearer } = apps.of("x")
  return bearer !== undefined && authorization === `Bearer ${Redacted.value(bearer)}`
}
