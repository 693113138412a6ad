import { auditActions } from "@loopbox/core/audit/AuditEvent"
import { EndpointStatus } from "@loopbox/core/items/ShownEndpoint"
import { allFeatures } from "@loopbox/core/networks/Feature"
import type { NetworkTable } from "@loopbox/core/networks/Networks"
import { plans } from "@loopbox/core/workspaces/Plan"
import { roles } from "@loopbox/core/workspaces/Role"
import * as Predicate from "effect/Predicate"
import type { AccountsFacade } from "../facade/accountsFacade.ts"
import type { ConnectingFacade } from "../facade/connectingFacade.ts"
import type { KeysFacade } from "../facade/keysFacade.ts"
import type { ListRequest } from "../facade/listRequest.ts"
import type { MembersFacade } from "../facade/membersFacade.ts"
import type { EndpointRequest, WebhookEndpointsFacade } from "../facade/webhookEndpointsFacade.ts"
import type { AuditListRequest, WorkspacesFacade } from "../facade/workspacesFacade.ts"
import {
  aNumber,
  eventNumber,
  flag,
  isRecord,
  type Judge,
  listOf,
  membersOf,
  moment,
  must,
  needs,
  oneOf,
  optional,
  recordOf,
  text,
  texts
} from "./Judge.ts"
import { type Argument, callOptions, type Judgements, signal } from "./judged.ts"
import { accountNames, endpointNames, keyNames, sessionNames, workspaceNames } from "./records.ts"
import { id, limit, list, mayRequest, orRecord, requestOf, texted, textOrNull, workspaceId } from "./requests.ts"

const limits = membersOf(
  { activeJobs: optional(aNumber), conversionsPer24Hours: optional(aNumber) },
  "{ activeJobs, conversionsPer24Hours }"
)

/** A name of nothing or of a page's length would be refused over HTTP, too. */
const workspaceName = must(
  (given) => Predicate.isString(given) && given.trim() !== "" && given.length <= 200,
  "be a text of 1 to 200 characters"
)

const workspace = orRecord(workspaceNames, { name: workspaceName, plan: oneOf(plans), limits })

export const workspacesArguments: Judgements<WorkspacesFacade> = {
  create: [["workspace", needs(["name", "plan"], workspace)]],
  find: [id],
  usage: [id],
  auditEvents: [
    id,
    mayRequest<AuditListRequest>({ ...list, actor: texted, action: optional(oneOf(auditActions)), target: texted })
  ],
  list: [mayRequest<ListRequest>(list)],
  update: [id, ["change", workspace]],
  erase: [id]
}

const userId: Argument = ["userId", text]

/** Without a managed user the token opens what its user may open. */
const tokenOptions: Judge = (given, name) => {
  if (given === undefined || given === null) return []
  const isUnset = isRecord(given) && "externalUserId" in given && !Predicate.isString(given["externalUserId"])
  const unset = isUnset ? [`${name}.externalUserId must be a text where it is given`] : []
  return [
    ...unset,
    ...membersOf({ signal, seconds: aNumber, externalUserId: () => [] }, "an object of options")(given, name)
  ]
}

export const membersArguments: Judgements<MembersFacade> = {
  list: [workspaceId, mayRequest({ limit, after: texted })],
  find: [workspaceId, userId],
  set: [workspaceId, userId, ["role", oneOf(roles)]],
  remove: [workspaceId, userId],
  issueToken: [workspaceId, userId, ["options", tokenOptions]]
}

export const keysArguments: Judgements<KeysFacade> = {
  create: [
    [
      "key",
      needs(
        ["workspaceId", "name"],
        orRecord(keyNames, { workspaceId: text, name: text, creatorUserId: texted, expiresAt: optional(moment) })
      )
    ]
  ],
  find: [workspaceId, id],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  revoke: [workspaceId, id]
}

const credentials = needs(
  ["accessToken"],
  membersOf(
    { accessToken: text, refreshToken: texted, expiresAt: optional(moment) },
    "{ accessToken, refreshToken, expiresAt }"
  )
)

const externalUserId: Argument = ["externalUserId", text]

export const accountsArguments = ({ networks }: NetworkTable): Judgements<AccountsFacade> => ({
  connect: [
    [
      "account",
      needs(
        ["workspaceId", "network", "networkAccountId", "name", "credentials"],
        orRecord<Parameters<AccountsFacade["connect"]>[0]>(accountNames, {
          workspaceId: text,
          network: oneOf(networks),
          networkAccountId: text,
          name: text,
          username: texted,
          avatarUrl: texted,
          externalUserId: texted,
          credentials,
          permissions: texts,
          check: flag
        })
      )
    ]
  ],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  find: [workspaceId, id],
  move: [workspaceId, id, ["externalUserId", textOrNull]],
  renew: [
    workspaceId,
    id,
    ["credentials", credentials],
    ["options", optional(membersOf({ signal, check: flag }, "{ signal, check }"))]
  ],
  check: [workspaceId, id],
  disconnect: [workspaceId, id],
  addManagedUser: [workspaceId, externalUserId],
  findManagedUser: [workspaceId, externalUserId],
  listManagedUsers: [workspaceId, mayRequest<ListRequest>(list)],
  exportManagedUser: { iterates: [workspaceId, externalUserId, callOptions] },
  eraseManagedUser: [workspaceId, externalUserId]
})

export const connectingArguments = ({ networks }: NetworkTable): Judgements<ConnectingFacade> => ({
  create: [
    [
      "request",
      needs(
        ["workspaceId", "network"],
        orRecord<Parameters<ConnectingFacade["create"]>[0]>(sessionNames, {
          workspaceId: text,
          network: oneOf(networks),
          externalUserId: texted,
          returnUrl: texted,
          features: listOf(allFeatures),
          socialAccountId: texted
        })
      )
    ]
  ],
  reconnect: [workspaceId, ["accountId", text], mayRequest({ returnUrl: texted })],
  find: [workspaceId, id],
  begin: [
    ["linkToken", text],
    ["request", needs(["callbackUrl"], requestOf({ callbackUrl: text, cookies: texts }))]
  ],
  callback: [
    // Of the address that the browser came to.
    ["network", text],
    ["request", needs(["query", "cookies"], requestOf({ query: recordOf(text, "an object of texts"), cookies: texts }))]
  ],
  choices: [["cookie", textOrNull]],
  choose: [
    ["request", needs(["cookie", "formToken", "keys"], requestOf({ cookie: textOrNull, formToken: text, keys: texts }))]
  ]
})

const endpoint = {
  url: text,
  events: optional(texts),
  externalUserId: texted,
  description: texted,
  isOrdered: flag
} satisfies Record<keyof EndpointRequest, Judge>

const deliveryId: Argument = ["deliveryId", text]

const endpointStatus = oneOf(EndpointStatus.literals)

export const webhookEndpointsArguments: Judgements<WebhookEndpointsFacade> = {
  create: [workspaceId, ["endpoint", needs(["url"], orRecord<EndpointRequest>(endpointNames, endpoint))]],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  find: [workspaceId, id],
  update: [workspaceId, id, ["change", orRecord(endpointNames, { ...endpoint, status: endpointStatus })]],
  delete: [workspaceId, id],
  rotateSecret: [workspaceId, id],
  test: [workspaceId, id, ["type", (given, name) => (given === undefined ? [] : text(given, name))]],
  listDeliveries: [
    workspaceId,
    id,
    mayRequest({ ...list, status: optional(oneOf(["pending", "delivered", "failed", "canceled"])) })
  ],
  findDelivery: [workspaceId, id, deliveryId],
  redeliver: [workspaceId, id, deliveryId],
  replay: [workspaceId, id, ["afterSeq", eventNumber]]
}
