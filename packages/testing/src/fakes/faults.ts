import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"

/** A wrapper of store calls for tests: it may fail, wait or never return, before or after the call. */
export interface Fault {
  readonly before: (operation: string) => Effect.Effect<void, StoreUnavailable>
  readonly after: (operation: string) => Effect.Effect<void, StoreUnavailable>
}

export const noFault: Fault = { before: () => Effect.void, after: () => Effect.void }

/** Fails the next calls of one operation, before or after they have an effect. */
export const failing = (
  operation: string,
  failure: { readonly times: number; readonly when: "before" | "after"; readonly error: StoreUnavailable }
): Fault => {
  let left = failure.times
  const fail = (when: "before" | "after") => (called: string) =>
    Effect.suspend(() => {
      if (called !== operation || when !== failure.when || left <= 0) return Effect.void
      left--
      return Effect.fail(failure.error)
    })
  return { before: fail("before"), after: fail("after") }
}

const guard =
  (fault: Fault) =>
  (operation: string) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
    fault.before(operation).pipe(
      Effect.andThen(call),
      Effect.tap(() => fault.after(operation))
    )

export const faultyConversionStore = (store: ConversionStore["Service"], fault: Fault) => {
  const at = guard(fault)
  return ConversionStore.of({
    submit: (conversion, judge) => at("submit")(store.submit(conversion, judge)),
    findByKey: (workspaceId, key) => at("findByKey")(store.findByKey(workspaceId, key)),
    find: (workspaceId, id) => at("find")(store.find(workspaceId, id)),
    list: (workspaceId, status, page) => at("list")(store.list(workspaceId, status, page)),
    claim: (request) => at("claim")(store.claim(request)),
    renew: (claim, until, progress) => at("renew")(store.renew(claim, until, progress)),
    release: (claim, now) => at("release")(store.release(claim, now)),
    succeed: (claim, output, moment) => at("succeed")(store.succeed(claim, output, moment)),
    fail: (claim, failure, moment) => at("fail")(store.fail(claim, failure, moment)),
    cancel: (workspaceId, id, failure, moment) => at("cancel")(store.cancel(workspaceId, id, failure, moment)),
    depth: at("depth")(store.depth)
  })
}

export const faultyBlobStore = (blobs: BlobStore["Service"], fault: Fault) => {
  const at = guard(fault)
  return BlobStore.of({
    write: (key, bytes) => at("write")(blobs.write(key, bytes)),
    adopt: blobs.adopt,
    read: (key, range) => Stream.concat(Stream.fromEffectDrain(fault.before("read")), blobs.read(key, range)),
    size: (key) => at("size")(blobs.size(key)),
    remove: (key) => at("remove")(blobs.remove(key)),
    removeAll: (workspaceId) => at("removeAll")(blobs.removeAll(workspaceId)),
    listOlder: (before) => Stream.concat(Stream.fromEffectDrain(fault.before("listOlder")), blobs.listOlder(before)),
    removeAbandoned: at("removeAbandoned")(blobs.removeAbandoned),
    probe: at("probe")(blobs.probe)
  })
}

export const faultyMediaStore = (records: MediaStore["Service"], fault: Fault) => {
  const at = guard(fault)
  return MediaStore.of({
    insert: (media) => at("insert")(records.insert(media)),
    insertOnce: (media, contentHash) => at("insertOnce")(records.insertOnce(media, contentHash)),
    find: (workspaceId, id) => at("find")(records.find(workspaceId, id)),
    findLinked: (id) => at("findLinked")(records.findLinked(id)),
    list: (workspaceId, page) => at("list")(records.list(workspaceId, page)),
    finish: (pending, bytes) => at("finish")(records.finish(pending, bytes)),
    describe: (media, examined) => at("describe")(records.describe(media, examined)),
    remove: (workspaceId, id, moment) => at("remove")(records.remove(workspaceId, id, moment))
  })
}

export const faultyRetentionStore = (store: RetentionStore["Service"], fault: Fault) => {
  const at = guard(fault)
  return RetentionStore.of({
    expire: (now, limit) => at("expire")(store.expire(now, limit)),
    listRemovable: (limit) => at("listRemovable")(store.listRemovable(limit)),
    confirmRemoved: (media) => at("confirmRemoved")(store.confirmRemoved(media)),
    findOrphans: (keys) => at("findOrphans")(store.findOrphans(keys)),
    purgeRows: (now, limit) => at("purgeRows")(store.purgeRows(now, limit))
  })
}

/** Blocks calls of these operations (default: all) between `pause` and `resume`. Without `resume` they never return. */
export const pausing = (...operations: ReadonlyArray<string>) => {
  const latch = Latch.makeUnsafe(true)
  const wait = (operation: string) =>
    Effect.suspend(() => (operations.length === 0 || operations.includes(operation) ? latch.await : Effect.void))
  const fault: Fault = { before: wait, after: wait }
  return {
    fault,
    pause: Effect.sync(() => void latch.closeUnsafe()),
    resume: Effect.sync(() => void latch.openUnsafe())
  }
}
