import type { Network } from "../names.ts"
import type { Ask, Operation, SandboxAnswer } from "./Operation.ts"
import { digitsOf } from "./worldIds.ts"

/** Where an account's own picture is, which the sandbox draws. */
export const pictureOf = (
  { baseUrl }: Pick<Ask, "baseUrl">,
  { accountId, network }: { readonly network: Network; readonly accountId: string }
): string => `${baseUrl}/${network}/pictures/${encodeURIComponent(accountId)}.svg`

/** Of colours on which white letters can be read. */
const drawn = (network: Network, id: string, letters: string): SandboxAnswer => {
  const hue = Number(digitsOf(`${network} ${id}`, 3)) % 360
  return {
    status: 200,
    headers: { "content-type": "image/svg+xml", "cache-control": "max-age=3600" },
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 45% 38%)"/><text x="48" y="61" text-anchor="middle" font-family="system-ui, sans-serif" font-size="36" fill="#fff">${letters}</text></svg>`
  }
}

/** The first letters of a name; none that would be markup. */
const lettersOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((word) => /^[\p{L}\p{N}]/u.exec(word) ?? [])
    .slice(0, 2)
    .join("")

/** `GET` of a picture, for whoever asks. */
export const picture = (network: Network): Operation => ({
  name: "picture",
  openAnswer: ({ logins, world }, ask) => {
    const id = ask.param("file").replace(/\.svg$/, "")
    const known = world.findAccounts(network).find(({ accountId }) => accountId === id)
    const name = known?.name ?? logins.owners.findAccount(network, id)?.name
    return name === undefined ? { status: 404, body: "" } : drawn(network, id, lettersOf(name))
  }
})
