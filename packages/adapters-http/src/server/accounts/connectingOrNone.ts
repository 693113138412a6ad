import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { AccountNotFound } from "@loopbox/core/accounts/AccountErrors"
import {
  ConnectLinkUnknown,
  ConnectSessionNotFound,
  NetworkNotConfigured,
  StateInvalid
} from "@loopbox/core/connecting/ConnectErrors"
import { ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { MetaCallbacks } from "@loopbox/core/connecting/MetaCallbacks"
import { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Of a host that does not give a service: what needs it is not available, and what is asked by a secret is unknown. */
const absent = (service: string) =>
  Effect.fail(new StoreUnavailable({ operation: service, committed: "no", cause: `this host gives no ${service}` }))

const noSessions = ConnectSessions.of({
  create: (_scope, { network }) => Effect.fail(new NetworkNotConfigured({ network, settings: [] })),
  find: (_scope, sessionId) => Effect.fail(new ConnectSessionNotFound({ sessionId })),
  begin: () => Effect.fail(new ConnectLinkUnknown()),
  callback: () => Effect.fail(new StateInvalid()),
  choices: () => Effect.fail(new StateInvalid()),
  choose: () => Effect.fail(new StateInvalid())
})

const noAccount = ({ workspaceId }: InboxScope, accountId: string) =>
  Effect.fail(new AccountNotFound({ workspaceId, accountId }))

const noAccounts = ConnectedAccounts.of({
  list: () => absent("ConnectedAccounts"),
  find: noAccount,
  check: noAccount,
  disconnect: noAccount
})

const noCallbacks = MetaCallbacks.of({
  deauthorise: () => absent("MetaCallbacks"),
  requestDeletion: () => absent("MetaCallbacks"),
  findDeletion: () => Effect.succeedNone
})

/** A host may do without connecting, as it may without webhooks: then there is nothing at these addresses. */
export const connectSessions = Effect.map(
  Effect.serviceOption(ConnectSessions),
  Option.getOrElse(() => noSessions)
)
export const connectedAccounts = Effect.map(
  Effect.serviceOption(ConnectedAccounts),
  Option.getOrElse(() => noAccounts)
)
export const metaCallbacks = Effect.map(
  Effect.serviceOption(MetaCallbacks),
  Option.getOrElse(() => noCallbacks)
)
