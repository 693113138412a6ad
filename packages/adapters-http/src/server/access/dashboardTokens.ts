import { Unauthorized } from "@loopbox/core/access/AccessErrors"
import { DashboardIdentity, type Identity, type TokenRequest } from "@loopbox/core/access/DashboardIdentity"
import { maxExternalUserId } from "@loopbox/core/access/ScopeClaim"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type JWTVerifyOptions,
  SignJWT
} from "jose"
import { isSecureUrl } from "./secureUrl.ts"
import { makeRemoteKeys } from "./remoteKeys.ts"

/** The customer's identity provider. */
export interface JwksOptions {
  readonly url: string
  readonly issuer: string
  readonly audience: string
  /** The claim that names the workspace: `workspace_id` unless said otherwise. */
  readonly workspaceClaim?: string | undefined
  /** For one look at the keys: 5 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** Keys are looked at again after so long: 5 minutes. A token that names an unknown key has them looked at at once. */
  readonly refreshEvery?: Duration.Input | undefined
  /** Two looks are at least so far apart, whatever tokens say: 1 second. */
  readonly spacing?: Duration.Input | undefined
}

/** How far the provider's clock may be from ours (design §3). */
const skewSeconds = 60

const algorithms = ["RS256", "ES256", "EdDSA"]

const isText = (value: unknown): value is string => Predicate.isString(value) && value !== ""

/** The claim that binds a token to a managed user. */
const boundClaim = "external_user_id"

const toIdentity = (claims: JWTPayload, workspaceClaim: string): Option.Option<Identity> => {
  const { sub: userId } = claims
  const workspace = claims[workspaceClaim] ?? undefined
  const bound = claims[boundClaim] ?? undefined
  if (!isText(userId) || (workspace !== undefined && !isText(workspace))) return Option.none()
  // One that is bound to something that is no managed user must not count as one that is not bound.
  if (bound !== undefined && (!isText(bound) || Array.from(bound).length > maxExternalUserId)) return Option.none()
  return Option.some({
    userId,
    workspaceId: Option.fromUndefinedOr(workspace),
    externalUserId: Option.fromUndefinedOr(bound)
  })
}

/** Every key that fits a token which names none. */
const keysOf = async (error: errors.JWKSMultipleMatchingKeys): Promise<ReadonlyArray<CryptoKey>> => {
  const keys: Array<CryptoKey> = []
  for await (const key of error) keys.push(key)
  return keys
}

const tryVerify = (token: string, key: JWTVerifyGetKey, options: JWTVerifyOptions) =>
  Effect.tryPromise({ try: () => jwtVerify(token, key, options), catch: (cause) => new NotVerified({ cause }) }).pipe(
    Effect.map(({ payload }) => payload)
  )

/** Why a token was not verified: jose's own error. */
class NotVerified extends Data.TaggedError("NotVerified")<{ readonly cause: unknown }> {}

/** A provider may have several keys that fit; each is tried. */
const verifyWith = (token: string, find: JWTVerifyGetKey, options: JWTVerifyOptions) =>
  tryVerify(token, find, options).pipe(
    Effect.catchTag("NotVerified", (error) => {
      const { cause } = error
      if (!(cause instanceof errors.JWKSMultipleMatchingKeys)) return Effect.fail(error)
      return Effect.tryPromise({ try: () => keysOf(cause), catch: () => error }).pipe(
        Effect.flatMap((keys) => Effect.firstSuccessOf(keys.map((key) => tryVerify(token, () => key, options))))
      )
    })
  )

const isUnknownKey = ({ cause }: NotVerified) => cause instanceof errors.JWKSNoMatchingKey

const optionsAt = (now: DateTime.Utc, issuer: string, audience: string): JWTVerifyOptions => ({
  issuer,
  audience,
  algorithms,
  clockTolerance: skewSeconds,
  currentDate: DateTime.toDateUtc(now),
  requiredClaims: ["exp", "sub"]
})

/** Dashboard tokens of the customer's identity provider: issuer, audience and times are judged, keys may rotate. */
export const layerJwks = (options: JwksOptions): Layer.Layer<never> =>
  Layer.effect(
    DashboardIdentity,
    Effect.gen(function* () {
      const { audience, issuer, workspaceClaim = "workspace_id" } = options
      if (!isSecureUrl(options.url)) {
        // Whoever can change the answer on its way could sign tokens.
        return yield* Effect.die(new Error("the URL of a key set must be https, or http on the loopback"))
      }
      const keys = yield* makeRemoteKeys({
        url: options.url,
        timeout: Duration.fromInputUnsafe(options.timeout ?? "5 seconds"),
        refreshEvery: Duration.fromInputUnsafe(options.refreshEvery ?? "5 minutes"),
        spacing: Duration.fromInputUnsafe(options.spacing ?? "1 second")
      })
      const verify = Effect.fn("DashboardIdentity.verify")(function* (given: Redacted.Redacted<string>) {
        const token = Redacted.value(given)
        // What is no token needs no key: the provider isn't asked for it.
        if (!isTokenOfOurs(token)) return yield* new Unauthorized()
        const verifyOptions = optionsAt(yield* DateTime.now, issuer, audience)
        const before = yield* keys.current
        const claims = yield* verifyWith(token, before.find, verifyOptions).pipe(
          Effect.catchIf(isUnknownKey, () =>
            Effect.flatMap(keys.refresh, ({ find }) => verifyWith(token, find, verifyOptions))
          ),
          Effect.catchTag("NotVerified", () => Effect.fail(new Unauthorized()))
        )
        const identity = toIdentity(claims, workspaceClaim)
        return Option.isSome(identity) ? identity.value : yield* new Unauthorized()
      })
      return { verify, issue: Option.none() }
    })
  )

const isTokenOfOurs = (token: string): boolean => {
  const header = Result.try(() => decodeProtectedHeader(token))
  return Result.isSuccess(header) && algorithms.includes(header.success.alg ?? "")
}

const localIssuer = "loopbox"
const localAudience = "loopbox-dashboard"
const localAlgorithm = "EdDSA"

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]

const importLocalKeys = async (seed: Uint8Array) => {
  const bytes = new Uint8Array([...pkcs8Head, ...seed])
  const signing = await crypto.subtle.importKey("pkcs8", bytes, "Ed25519", true, ["sign"])
  const { crv = "", kty = "", x = "" } = await crypto.subtle.exportKey("jwk", signing)
  const verifying = await crypto.subtle.importKey("jwk", { crv, kty, x }, "Ed25519", false, ["verify"])
  return { signing, verifying }
}

const sign = (key: CryptoKey, now: DateTime.Utc, { expiresAt, externalUserId, userId, workspaceId }: TokenRequest) =>
  new SignJWT({
    workspace_id: workspaceId,
    ...(externalUserId === undefined ? {} : { [boundClaim]: externalUserId })
  })
    .setProtectedHeader({ alg: localAlgorithm, typ: "JWT" })
    .setIssuer(localIssuer)
    .setAudience(localAudience)
    .setSubject(userId)
    .setIssuedAt(DateTime.toDateUtc(now))
    .setExpirationTime(DateTime.toDateUtc(expiresAt))
    .sign(key)

/** Our own issuer, for development: tokens carry `workspace_id`. The host makes and keeps the key: 32 secret bytes. */
export const layerLocal = (seed: Redacted.Redacted<Uint8Array>): Layer.Layer<never> =>
  Layer.effect(
    DashboardIdentity,
    Effect.gen(function* () {
      const { signing, verifying } = yield* Effect.promise(() => importLocalKeys(Redacted.value(seed)))
      const verify = Effect.fn("DashboardIdentity.verify")(function* (token: Redacted.Redacted<string>) {
        const options = optionsAt(yield* DateTime.now, localIssuer, localAudience)
        const claims = yield* tryVerify(Redacted.value(token), () => verifying, {
          ...options,
          algorithms: [localAlgorithm]
        }).pipe(Effect.catchTag("NotVerified", () => Effect.fail(new Unauthorized())))
        const identity = toIdentity(claims, "workspace_id")
        return Option.isSome(identity) ? identity.value : yield* new Unauthorized()
      })
      const issue = Effect.fn("DashboardIdentity.issue")(function* (request: TokenRequest) {
        const now = yield* DateTime.now
        return Redacted.make(yield* Effect.promise(() => sign(signing, now, request)))
      })
      return { verify, issue: Option.some(issue) }
    })
  )
