import * as Struct from "effect/Struct"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import { type Plain, toPlain } from "./toPlain.ts"

/** A connected account as plain data; its tokens are never in it. */
export interface PlainAccount extends Plain<Pick<SocialAccount, (typeof accountFields)[number]>> {}

export interface PlainManagedUser extends Plain<ManagedUser> {}

export const accountFields = [
  "id",
  "workspaceId",
  "network",
  "networkAccountId",
  "name",
  "username",
  "avatarUrl",
  "externalUserId",
  "status",
  "createdAt"
] as const

export const toPlainAccount = (account: SocialAccount): PlainAccount => toPlain(Struct.pick(account, accountFields))
