import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import { freePort } from "./ownServer.ts"

/** What a host is told of an identity provider, and the key with which this one signs. */
interface IdentityProvider {
  readonly settings: Readonly<Record<string, string>>
  /** What `tokensOfProvider.mjs` signs with, in its environment. */
  readonly signing: Readonly<Record<string, string>>
}

const issuer = "https://id.example"
const audience = "loopbox"

const start = async (): Promise<IdentityProvider> => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const port = await freePort()
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "of the tests", alg: "EdDSA", use: "sig" }]
  const server = createServer((_, response) => response.end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  // A test run ends though it is there for more.
  server.unref()
  return {
    settings: {
      LOOPBOX_DASHBOARD_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      LOOPBOX_DASHBOARD_ISSUER: issuer,
      LOOPBOX_DASHBOARD_AUDIENCE: audience
    },
    signing: {
      PROVIDER_KEY: JSON.stringify(privateKey.export({ format: "jwk" })),
      PROVIDER_ISSUER: issuer,
      PROVIDER_AUDIENCE: audience
    }
  }
}

let started: Promise<IdentityProvider> | undefined

/** The identity provider of a customer whose hosts were moved: with a server of its own a host signs no dashboard tokens. */
export const identityProvider = (): Promise<IdentityProvider> => (started ??= start())
