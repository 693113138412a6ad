import type { EndpointInvalid } from "@loopbox/core/outgoing/OutgoingErrors"
import * as Effect from "effect/Effect"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

export const storeRefusal = {
  StoreUnavailable: refuseStore,
  // Whoever is let in has the workspace's scope.
  ScopeInvalid: Effect.die
}

export const endpointListRefusals = { ...plainRequestRefusal, ...storeRefusal }

export const endpointRefusals = {
  ...storeRefusal,
  EndpointNotFound: () => refuse("NOT_FOUND", "There is no such webhook endpoint in this workspace.")
}

export const deliveryRefusals = {
  ...endpointRefusals,
  DeliveryNotFound: () => refuse("NOT_FOUND", "The endpoint has no such delivery.")
}

export const disabledRefusal = {
  EndpointDisabled: () => refuse("ENDPOINT_DISABLED")
}

const refuseInvalid = ({ issues }: EndpointInvalid) => refusePlainRequest(issues)

const writeRefusals = {
  ...jsonRefusals,
  ...plainRequestRefusal,
  ...storeRefusal,
  EndpointInvalid: refuseInvalid
}

const userRefusal = { ManagedUserNotFound: () => refuse("MANAGED_USER_NOT_FOUND") }

export const createRefusals = {
  ...writeRefusals,
  ...userRefusal,
  // It was erased since the request was let in.
  WorkspaceNotFound: () => refuse("UNAUTHORIZED")
}

export const updateRefusals = { ...writeRefusals, ...userRefusal, ...endpointRefusals }

export const exampleRefusals = {
  ...writeRefusals,
  ...endpointRefusals,
  CredentialsUnreadable: Effect.die
}

export const replayRefusals = { ...jsonRefusals, ...plainRequestRefusal, ...endpointRefusals, ...disabledRefusal }
