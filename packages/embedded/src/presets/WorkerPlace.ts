import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** Whether this process has workers, and what is provided to them alone. */
export const WorkerPlace = Context.Reference<{ readonly isHere: boolean; readonly around: Layer.Layer<never> }>(
  "@loopbox/embedded/presets/WorkerPlace",
  { defaultValue: () => ({ isHere: true, around: Layer.empty }) }
)
