import type { CreatorNotMember } from "@loopbox/core/access/AccessErrors"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

export const listRefusals = { ...plainRequestRefusal, StoreUnavailable: refuseStore }

export const workspaceRefusals = {
  WorkspaceNotFound: () => refuse("NOT_FOUND", "There is no such workspace."),
  StoreUnavailable: refuseStore
}

/** Of a list of what belongs to a workspace. */
export const pageRefusals = { ...workspaceRefusals, ...plainRequestRefusal }

const bodyRefusals = { ...jsonRefusals, ...plainRequestRefusal }

export const limitsNeedEnterprise = { path: "limits", message: "may be set on the plan enterprise only" }

const limitsRefusal = { LimitsNeedEnterprise: () => refusePlainRequest([limitsNeedEnterprise]) }

export const createRefusals = { ...bodyRefusals, ...limitsRefusal, StoreUnavailable: refuseStore }
export const updateRefusals = { ...bodyRefusals, ...limitsRefusal, ...workspaceRefusals }
export const setMemberRefusals = { ...bodyRefusals, ...workspaceRefusals }
export const clockRefusals = { ...bodyRefusals, StoreUnavailable: refuseStore }

export const memberRefusals = {
  ...workspaceRefusals,
  MemberNotFound: () => refuse("NOT_FOUND", "There is no such member in this workspace.")
}

export const removeMemberRefusals = { ...memberRefusals, ...plainRequestRefusal }

export const issueKeyRefusals = {
  ...bodyRefusals,
  ...workspaceRefusals,
  CreatorNotMember: ({ userId }: CreatorNotMember) =>
    refusePlainRequest([{ path: "creator_user_id", message: `must be a member of the workspace; ${userId} is not` }])
}

export const keyRefusals = {
  ...workspaceRefusals,
  ApiKeyNotFound: () => refuse("NOT_FOUND", "There is no such key in this workspace.")
}
