import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { Administration } from "@loopbox/core/access/Administration"
import type { Member } from "@loopbox/core/workspaces/Members"
import type { Role } from "@loopbox/core/workspaces/Role"
import { inRange } from "./inRange.ts"
import { toLimit } from "./listRequest.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { userIdOf } from "./userIdOf.ts"

/** A user of a workspace, by the id that your identity provider gives them. */
export interface PlainMember extends Plain<Member> {}

/** One page by user ids; pass `next` as `after` to get the next one. */
export interface PlainMemberPage {
  readonly items: ReadonlyArray<PlainMember>
  readonly next: string | null
}

/** Who may do what in a workspace over HTTP. Your own calls of these functions are not judged by it. */
export interface MembersFacade {
  /** By user ids; 1–100, default 50. */
  readonly list: (
    workspaceId: string,
    request?: { readonly limit?: number | undefined; readonly after?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainMemberPage>
  readonly find: (workspaceId: string, userId: string, options?: CallOptions) => Promise<PlainMember>
  /** Adds a member, or changes one's role, which holds for their next request. */
  readonly set: (workspaceId: string, userId: string, role: Role, options?: CallOptions) => Promise<PlainMember>
  /** Keys that they made no longer count from the next request on. */
  readonly remove: (workspaceId: string, userId: string, options?: CallOptions) => Promise<void>
  /**
   * Signs a dashboard token for a time in seconds, 3,600 unless said otherwise, at most 30 days. Only where Loopbox itself
   * signs them, as its host does for development; else it rejects with `NoLocalIssuer`.
   */
  readonly issueToken: (
    workspaceId: string,
    userId: string,
    options?: CallOptions & {
      readonly seconds?: number | undefined
      /** Binds it to this managed user: it opens their inbox and no other. */
      readonly externalUserId?: string | undefined
    }
  ) => Promise<string>
}

const maxTokenSeconds = 30 * 24 * 60 * 60

export const makeMembersFacade = (
  administration: Administration["Service"],
  accounts: AccountAdministration["Service"],
  run: Run
): MembersFacade => ({
  list: (workspaceId, { after, limit } = {}, options) =>
    run(
      toLimit(limit, 100).pipe(
        Effect.flatMap((most) =>
          administration.listMembers(workspaceId, { limit: most, after: Option.fromNullishOr(after) })
        ),
        Effect.map(({ items, next }) => ({ items: items.map((one) => toPlain(one)), next: toPlain(next) }))
      ),
      options
    ),
  find: (workspaceId, userId, options) =>
    run(Effect.map(administration.findMember(workspaceId, userId), toPlain<Member>), options),
  set: (workspaceId, userId, role, options) =>
    run(
      userIdOf(userId).pipe(
        Effect.flatMap((id) => administration.setMember(workspaceId, id, role)),
        Effect.as({ userId, role })
      ),
      options
    ),
  remove: (workspaceId, userId, options) => run(administration.removeMember(workspaceId, userId), options),
  issueToken: (workspaceId, userId, options) =>
    run(
      Effect.gen(function* () {
        const seconds = yield* inRange("seconds", options?.seconds ?? 3600, maxTokenSeconds)
        const id = yield* userIdOf(userId)
        return Redacted.value(
          yield* accounts.issueDashboardToken(workspaceId, id, { seconds }, options?.externalUserId)
        )
      }),
      options
    )
})
