import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import type { Administration } from "@loopbox/core/access/Administration"
import type { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { toOptionalMoment } from "./toMoment.ts"

/** A key as plain data; its text and what is stored of it are never in it. */
export interface PlainApiKey extends Plain<Pick<ApiKey, (typeof keyFields)[number]>> {}

/** A key that was just made. `text` is what requests send, and exists only here. */
export interface PlainIssuedKey extends PlainApiKey {
  readonly text: string
}

/** API keys, with which a workspace calls what the mounts serve. */
export interface KeysFacade {
  /**
   * Makes a key. With a creator who is an admin or owner of the workspace it may ask for workspace scope; without one for
   * managed users only. Rejects with `CreatorNotMember` if the creator is no member.
   */
  readonly create: (
    key: {
      readonly workspaceId: string
      readonly name: string
      readonly creatorUserId?: string | null | undefined
      readonly expiresAt?: Date | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainIssuedKey>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainApiKey>
  readonly list: (workspaceId: string, request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainApiKey>>
  /** From the next request on it no longer counts, and its sockets are closed. */
  readonly revoke: (workspaceId: string, id: string, options?: CallOptions) => Promise<void>
}

export const keyFields = ["id", "workspaceId", "name", "creatorUserId", "createdAt", "expiresAt", "lastUsedAt"] as const

const toPlainKey = (key: ApiKey): PlainApiKey => toPlain(Struct.pick(key, keyFields))

export const makeKeysFacade = (administration: Administration["Service"], run: Run): KeysFacade => ({
  create: ({ creatorUserId, expiresAt, name, workspaceId }, options) =>
    run(
      toOptionalMoment("expiresAt", expiresAt).pipe(
        Effect.flatMap((expires) =>
          administration.issueKey(workspaceId, {
            name,
            creatorUserId: Option.fromNullishOr(creatorUserId),
            expiresAt: expires
          })
        ),
        Effect.map(({ key, text }) => ({ ...toPlainKey(key), text: Redacted.value(text) }))
      ),
      options
    ),
  find: (workspaceId, id, options) => run(Effect.map(administration.findKey(workspaceId, id), toPlainKey), options),
  list: (workspaceId, request = {}, options) =>
    run(
      toPageRequest(request).pipe(
        Effect.flatMap((page) => administration.listKeys(workspaceId, page)),
        Effect.map((page) => toPlainPage(page, toPlainKey))
      ),
      options
    ),
  revoke: (workspaceId, id, options) => run(administration.revokeKey(workspaceId, id), options)
})
