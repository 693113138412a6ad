import * as Schema from "effect/Schema"

/** Parts of a poll that fail independently: comments of Instagram and Facebook, their messages, Threads, X. */
export const pollSteps = ["comments", "messages", "replies", "mentions"] as const
export const PollStep = Schema.Literals(pollSteps)
export type PollStep = typeof PollStep.Type
