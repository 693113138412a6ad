import * as Context from "effect/Context"
import type { Claim, JobStore } from "../jobs/JobStore.ts"
import type { ConversionFailureCode, ConversionTask } from "./ConversionJob.ts"

/** A conversion that a worker has. */
export type ConversionClaim = Claim<ConversionTask>

/** Port: stores conversion jobs. */
export class ConversionStore extends Context.Service<
  ConversionStore,
  JobStore<ConversionTask, ConversionFailureCode>
>()("@loopbox/core/conversions/ConversionStore") {}
