import * as Effect from "effect/Effect"
import { Digest, sha256 } from "effect/crypto/Digest"
import type { WorkspaceId } from "../kernel/Ids.ts"

/** What stands for an erased managed user: events of one user still belong together, and his id is in none of them. */
export const erasedUserId = Effect.fnUntraced(function* (workspaceId: WorkspaceId, externalUserId: string) {
  const digest = yield* Digest
  return `sha256:${yield* digest.digestHex(sha256, new TextEncoder().encode(`${workspaceId}:${externalUserId}`))}`
})
