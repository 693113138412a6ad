import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Unauthorized } from "./AccessErrors.ts"
import { ApiKeys, type KeyHolder } from "../workspaces/ApiKeys.ts"
import type { KeyCaller } from "./Caller.ts"
import { idOfKeyText } from "../workspaces/keyText.ts"
import { traced } from "../kernel/traced.ts"

const encoder = new TextEncoder()

/** Driving service: identifies the caller of an API key. */
export class Access extends Context.Service<
  Access,
  {
    /** Checks an API key: known, not expired, its creator still a member (design §3). */
    readonly authenticate: (
      token: Redacted.Redacted<string>
    ) => Effect.Effect<KeyCaller, Unauthorized | StoreUnavailable>
  }
>()("@loopbox/core/access/Access") {
  static readonly layer: Layer.Layer<Access, never, ApiKeys | Digest> = Layer.effect(
    Access,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const digest = yield* Digest
      const scope = yield* Effect.scope

      /** Written at most once a minute, in the background; best effort. */
      const noteUse = Effect.fnUntraced(function* ({ key }: KeyHolder, now: DateTime.Utc) {
        const noted = Option.exists(key.lastUsedAt, (at) =>
          DateTime.isGreaterThan(DateTime.add(at, { minutes: 1 }), now)
        )
        if (noted) return
        yield* keys.touch(key.workspaceId, key.id, now).pipe(
          Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("a key's last use was not noted", error)),
          Effect.catchDefect((defect) => Effect.logError("a key's last use could not be noted", defect)),
          Effect.forkIn(scope)
        )
      })

      const authenticate = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
        const text = Redacted.value(token)
        const id = idOfKeyText(text)
        if (Option.isNone(id)) return yield* new Unauthorized()
        const found = yield* keys.findHolder(id.value)
        if (Option.isNone(found)) return yield* new Unauthorized()
        const { creatorRole, key, workspace } = found.value
        const hash = yield* digest.digestHex(sha256, encoder.encode(text))
        if (!timingSafeEqual(encoder.encode(hash), encoder.encode(key.secretHash))) return yield* new Unauthorized()
        const now = yield* DateTime.now
        if (Option.exists(key.expiresAt, (at) => DateTime.isLessThanOrEqualTo(at, now)))
          return yield* new Unauthorized()
        if (Option.isSome(key.creatorUserId) && Option.isNone(creatorRole)) return yield* new Unauthorized()
        yield* noteUse(found.value, now)
        const caller: KeyCaller = {
          _tag: "KeyCaller",
          keyId: key.id,
          workspace,
          creator: Option.map(Option.all({ userId: key.creatorUserId, role: creatorRole }), (creator) => creator)
        }
        return caller
      }, traced("Access.authenticate"))

      return Access.of({ authenticate })
    })
  )
}
