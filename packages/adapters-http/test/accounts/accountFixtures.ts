import type { AccountView } from "@loopbox/core/accounts/AccountView"
import { DateTime, Option } from "effect"
import { accountId, workspaceId } from "../connect/scriptedConnecting.ts"

const at = (text: string) => DateTime.makeUnsafe(text)

/** An account as core shows it. */
export const accountView = (change: Partial<AccountView> = {}): AccountView => ({
  id: accountId,
  workspaceId,
  network: "instagram",
  name: "Acme",
  username: Option.some("acme"),
  avatarUrl: Option.none(),
  externalUserId: Option.some("u1"),
  status: "connected",
  permissions: ["instagram_business_basic"],
  missingPermissions: ["instagram_business_manage_messages"],
  tokenExpiresAt: Option.some(at("2027-01-20T07:00:00.000Z")),
  capabilities: ["inbox"],
  health: {
    status: "degraded",
    problems: [
      {
        code: "missing_scopes",
        since: at("2026-11-21T07:00:00.000Z"),
        retryAt: Option.none(),
        missingPermissions: ["instagram_business_manage_messages"],
        networkCode: Option.none()
      }
    ],
    lastWebhookAt: Option.none(),
    lastPollAt: Option.some(at("2026-11-21T07:05:00.000Z"))
  },
  connectedAt: at("2026-11-21T06:55:00.000Z"),
  ...change
})
