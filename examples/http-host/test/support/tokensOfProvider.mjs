// Loaded before the backend of the elements' examples where its host was moved: that has its tokens from the customer's identity
// provider (identityProvider.ts) and not from the host.
import { createPrivateKey, sign } from "node:crypto"

const { PROVIDER_AUDIENCE: aud, PROVIDER_ISSUER: iss, PROVIDER_KEY } = process.env
const key = createPrivateKey({ key: JSON.parse(PROVIDER_KEY), format: "jwk" })
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

const tokenOf = (workspace, { ttl_seconds, user_id }) => {
  const exp = Math.floor(Date.now() / 1000) + ttl_seconds
  const signed = [
    { alg: "EdDSA", kid: "of the tests" },
    { iss, aud, exp, sub: user_id, workspace_id: workspace }
  ]
  const text = signed.map(encode).join(".")
  return `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`
}

const { fetch } = globalThis
globalThis.fetch = async (url, options) => {
  const [, workspace] = /\/workspaces\/([^/]+)\/dashboard-tokens$/.exec(url) ?? []
  return workspace === undefined
    ? fetch(url, options)
    : Response.json({ data: { token: tokenOf(workspace, JSON.parse(options.body)) } })
}
