import { moveThread, ThreadStatus, untouched } from "@loopbox/core/items/Thread"
import type { AssigneeInvalid } from "@loopbox/core/items/ThreadErrors"
import { nobody } from "@loopbox/core/threads/judgeMove"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type GivenBody, jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

export const countRefusals = { StoreUnavailable: refuseStore }

export const listRefusals = {
  ...plainRequestRefusal,
  StoreUnavailable: refuseStore
}

/** Absent and foreign are told alike. */
export const itemRefusals = {
  ItemNotFound: () => refuse("NOT_FOUND", "There is no such item in this scope."),
  StoreUnavailable: refuseStore
}

/** Likewise a thread. */
export const threadFindRefusals = {
  StoreUnavailable: refuseStore,
  ThreadNotFound: () => refuse("NOT_FOUND", "There is no such thread in this scope.")
}

const notAssignable = { path: "assigned_to", message: "may not be given with open" }

const assigneeLimits = {
  reserved: "may not be none, by which lists are asked for nobody's threads",
  too_long: "must have at most 256 characters"
} as const

const toAssigneeIssue = (reason: AssigneeInvalid["reason"]) => ({
  path: "assigned_to",
  message: assigneeLimits[reason]
})

export const isThreadStatus = Schema.is(ThreadStatus)

/** A name that nobody may have, or that the status does not take, is told with all other faults of the body. */
export const makeThreadRules =
  (isNamedInAny: boolean) =>
  ({ given: { assigned_to: name, thread_status: status } }: GivenBody) => {
    if (name === nobody) return Effect.succeed([toAssigneeIssue("reserved")])
    return Effect.succeed(
      isThreadStatus(status) &&
        Predicate.isString(name) &&
        name !== "" &&
        Result.isFailure(moveThread(untouched, { status, isNamedInAny, assignedTo: Option.some(name) }))
        ? [notAssignable]
        : []
    )
  }

/** What a move of a thread is refused with. */
export const moveRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  AssigneeNotAllowed: () => refusePlainRequest([notAssignable]),
  AssigneeInvalid: ({ reason }: AssigneeInvalid) => refusePlainRequest([toAssigneeIssue(reason)])
}

export const threadRefusals = { ...moveRefusals, ...itemRefusals }
