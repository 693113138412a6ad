import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Digest, sha256 } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountCredentials } from "../accounts/AccountCredentials.ts"
import { Erasures } from "../accounts/Erasures.ts"
import { ofEach } from "../accounts/ofEach.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { toBase32 } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Connectors } from "../networks/Connectors.ts"
import { carryOutDeletion } from "./carryOutDeletion.ts"
import { type DeletionRequest, DeletionRequests, type KeptDeletion } from "./DeletionRequests.ts"
import { SignedRequests } from "./SignedRequests.ts"

export type { DeletionRequest } from "./DeletionRequests.ts"

/** The `signed_request` of a callback is not signed by one of our apps, is malformed, or has expired. Nothing was done. */
export class SignedRequestInvalid extends Schema.TaggedError<SignedRequestInvalid>()("SignedRequestInvalid", {}) {}

/** Driving service: what Meta says of a person who takes the app's permission back (api-2.md §11). */
export class MetaCallbacks extends Context.Service<
  MetaCallbacks,
  {
    /**
     * The tokens of all accounts that the person connected are dropped; the accounts must be connected again. An unknown
     * person changes nothing.
     */
    readonly deauthorise: (signedRequest: string) => Effect.Effect<void, SignedRequestInvalid | StoreUnavailable>
    /** Erases those accounts with all their data. The same request again gives the same code, an unknown person too. */
    readonly requestDeletion: (
      signedRequest: string
    ) => Effect.Effect<DeletionRequest, SignedRequestInvalid | StoreUnavailable>
    readonly findDeletion: (code: string) => Effect.Effect<Option.Option<DeletionRequest>, StoreUnavailable>
  }
>()("@loopbox/core/connecting/MetaCallbacks") {
  static readonly layer: Layer.Layer<
    MetaCallbacks,
    never,
    AccountCredentials | DeletionRequests | Erasures | SocialAccounts | Connectors | SecureRandom | Digest
  > = Layer.effect(
    MetaCallbacks,
    Effect.suspend(() => make)
  )
}

/** A request is not accepted later than this after it was signed: it may have been recorded. */
const goodFor = { hours: 24 } as const

/** Tokens that a person gave so long after the request was signed are not those that were taken back. */
const lateBy = { minutes: 10 } as const

const make = Effect.gen(function* () {
  const requests = yield* SignedRequests
  const deletions = yield* DeletionRequests
  const accounts = yield* SocialAccounts
  const credentials = yield* AccountCredentials
  const erasures = yield* Erasures
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const digest = yield* Digest
  const deleting = yield* Effect.context<Connectors | DeletionRequests | Erasures>()

  const read = Effect.fnUntraced(function* (text: string) {
    const request = requests.read(text)
    const now = yield* DateTime.now
    const isOver = ({ expiresAt, issuedAt }: Option.Option.Value<typeof request>) =>
      DateTime.isLessThan(DateTime.add(issuedAt, goodFor), now) ||
      DateTime.isGreaterThan(issuedAt, DateTime.add(now, goodFor)) ||
      Option.exists(expiresAt, (at) => DateTime.isLessThan(at, now))
    if (Option.isNone(request) || isOver(request.value)) return yield* new SignedRequestInvalid()
    const found = yield* accounts.findOfPerson(requests.networks, request.value.personId)
    return { ...request.value, found: found.accounts, missing: found.missing, now }
  })

  const deauthorise = Effect.fn("MetaCallbacks.deauthorise")(function* (signedRequest: string) {
    const { found, issuedAt, missing, now } = yield* read(signedRequest)
    const storedBefore = DateTime.min(DateTime.add(issuedAt, lateBy), DateTime.add(now, { seconds: 1 }))
    yield* ofEach(found, (key) => credentials.drop(key, storedBefore))
    yield* Effect.logInfo("a person took the permission of accounts back", { accounts: found.length })
    if (Option.isSome(missing)) return yield* missing.value
  })

  const requestDeletion = Effect.fn("MetaCallbacks.requestDeletion")(function* (signedRequest: string) {
    const { found, missing, now } = yield* read(signedRequest)
    if (Option.isSome(missing)) {
      // What can't be found now can't be recorded: the person asks again. What was found does not wait for that.
      yield* ofEach(found, (key) => erasures.erase(key, connectors.redact))
      return yield* missing.value
    }
    const wanted: KeptDeletion = {
      code: toBase32(yield* random.randomBytes(20)),
      accounts: found,
      createdAt: now,
      completedAt: Option.none()
    }
    const requestDigest = yield* digest.digestHex(sha256, new TextEncoder().encode(signedRequest))
    // First what is to be done: the sweeper finishes what a crash interrupts.
    const request = yield* deletions.put(wanted, requestDigest)
    yield* Effect.logInfo("a person asked to delete accounts", { accounts: request.accounts.length })
    return Option.isSome(request.completedAt) ? request : yield* carryOutDeletion(request)
  }, Effect.provideContext(deleting))

  return MetaCallbacks.of({
    deauthorise,
    requestDeletion,
    findDeletion: Effect.fn("MetaCallbacks.findDeletion")(deletions.find)
  })
})
