import type { CreatorNotMember } from "@loopbox/core/access/AccessErrors"
import { InvalidRequest } from "./issues.ts"
import { jsonRefusals } from "./readJson.ts"
import { refuse } from "./refuse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { refusePlainRequest } from "./Validation.ts"

const InvalidRequestRefusal = ({ issues }: InvalidRequest) => refusePlainRequest(issues)

const noWorkspace = () => refuse("NOT_FOUND", "There is no such workspace.")

export const listRefusals = { InvalidRequest: InvalidRequestRefusal, StoreUnavailable: refuseStore }

export const workspaceRefusals = { WorkspaceNotFound: noWorkspace, StoreUnavailable: refuseStore }

const bodyRefusals = { ...jsonRefusals, InvalidRequest: InvalidRequestRefusal }

const limitsRefusal = {
  LimitsNeedEnterprise: () =>
    refusePlainRequest([{ path: "limits", message: "may be set on the plan enterprise only" }])
}

export const createRefusals = { ...bodyRefusals, ...limitsRefusal, StoreUnavailable: refuseStore }
export const updateRefusals = { ...bodyRefusals, ...limitsRefusal, ...workspaceRefusals }
export const setMemberRefusals = { ...bodyRefusals, ...workspaceRefusals }
export const clockRefusals = { ...bodyRefusals, StoreUnavailable: refuseStore }
export const listKeysRefusals = { InvalidRequest: InvalidRequestRefusal, ...workspaceRefusals }

export const removeMemberRefusals = {
  ...workspaceRefusals,
  InvalidRequest: InvalidRequestRefusal,
  MemberNotFound: () => refuse("NOT_FOUND", "There is no such member in this workspace.")
}

export const issueKeyRefusals = {
  ...bodyRefusals,
  ...workspaceRefusals,
  CreatorNotMember: ({ userId }: CreatorNotMember) =>
    refusePlainRequest([{ path: "creator_user_id", message: `must be a member of the workspace; ${userId} is not` }])
}

export const revokeKeyRefusals = {
  ...workspaceRefusals,
  ApiKeyNotFound: () => refuse("NOT_FOUND", "There is no such key in this workspace.")
}
