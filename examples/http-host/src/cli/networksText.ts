import type { LoginReport } from "../networkReport.ts"

const lineOf = (name: string, value: string | null) => (value === null ? [] : [[name, value] as const])

const stateOf = (isSet: boolean, use: string): string => (isSet ? "set" : `not set (for ${use})`)

/** One login of a network: the addresses to paste there, settings, and what people are asked for. */
const loginText = (login: LoginReport): string => {
  const state =
    login.missing.length === 0
      ? "accounts can be connected"
      : `no account can be connected: ${login.missing.join(", ")} missing`
  const rows = [
    ...lineOf("redirect", login.redirect_url),
    ...lineOf("webhook", login.webhook_url),
    ...lineOf("deauthorize", login.deauthorize_url),
    ...lineOf("data deletion", login.data_deletion_url),
    ...login.settings.map(({ is_set, name, use }) => [name, stateOf(is_set, use)] as const),
    ["asks for", login.scopes.join(" ")] as const
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    `${login.title}${login.is_default ? "" : " (not by LOOPBOX_INSTAGRAM_LOGIN)"}: ${state}`,
    `  ${login.place}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  ].join("\n")
}

export const networksText = (logins: ReadonlyArray<LoginReport>): string => logins.map(loginText).join("\n\n")
