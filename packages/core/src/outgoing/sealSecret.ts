import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import type { KeptSecret } from "./OutgoingEndpointStore.ts"

/** Bytes of a secret; Standard Webhooks takes 24 to 64. */
const secretBytes = 32

type Owner = Pick<OutgoingEndpoint, "id" | "workspaceId">

const ownerOf = ({ id, workspaceId }: Owner) => ({ workspaceId, accountId: id })

/** A new secret of an endpoint, `whsec_` and base64, and how it is stored. */
export const newSecret = Effect.fnUntraced(function* (
  endpoint: Owner,
  vault: typeof CredentialVault.Service,
  random: typeof SecureRandom.Service
) {
  const secret = Redacted.make(`whsec_${Base64.encode(yield* random.randomBytes(secretBytes))}`)
  const sealed = yield* vault.seal(ownerOf(endpoint), {
    accessToken: secret,
    refreshToken: Option.none(),
    expiresAt: Option.none()
  })
  return { secret, sealed }
})

/** The secrets of an endpoint, in the same order. */
export const openSecrets = (endpoint: Owner, kept: ReadonlyArray<KeptSecret>, vault: typeof CredentialVault.Service) =>
  Effect.forEach(kept, ({ sealed }) =>
    Effect.map(vault.open(ownerOf(endpoint), sealed), ({ accessToken }) => accessToken)
  )

/** The secrets of one endpoint, opened once as long as they are the same: that costs more than a signature. */
export class OpenedSecrets {
  #kept: ReadonlyArray<KeptSecret> = []
  #sealed = ""
  #opened: ReadonlyArray<Redacted.Redacted<string>> | undefined

  of(
    { endpoint, secrets }: { readonly endpoint: Owner; readonly secrets: ReadonlyArray<KeptSecret> },
    vault: typeof CredentialVault.Service
  ) {
    if (this.#opened !== undefined && this.#kept === secrets) return Effect.succeed(this.#opened)
    const sealed = secrets.map((secret) => secret.sealed).join(" ")
    if (this.#opened !== undefined && this.#sealed === sealed) {
      this.#kept = secrets
      return Effect.succeed(this.#opened)
    }
    return Effect.map(openSecrets(endpoint, secrets, vault), (opened) => {
      this.#kept = secrets
      this.#sealed = sealed
      this.#opened = opened
      return opened
    })
  }
}
