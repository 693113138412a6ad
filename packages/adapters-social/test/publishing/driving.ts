/** Publications for tests, and what core does with a connector: one step after the other, all that is kept as JSON. */
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkPublish, Preparation } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, PublicationKind, PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { assert } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { addressOf, hosted } from "../sandbox/publishing/files.ts"

export interface FileFor {
  readonly kind: PublishMedia["kind"]
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly link?: string
  readonly altText?: string
}

/** Comes in small chunks, as from a store. */
const streamOf = (bytes: Uint8Array): Stream.Stream<Uint8Array> => {
  const size = Math.max(1, Math.ceil(bytes.length / 3))
  return Stream.fromIterable([0, size, size * 2].map((at) => bytes.slice(at, at + size)))
}

export const mediaOf = ({
  altText,
  bytes,
  contentType,
  kind,
  link = "https://us.example/file"
}: FileFor): PublishMedia => ({
  mediaId: `med_${link}`,
  kind,
  contentType,
  sizeBytes: bytes.length,
  width: Option.none(),
  height: Option.none(),
  durationMs: Option.none(),
  frameRate: Option.none(),
  frames: Option.none(),
  videoCodec: Option.none(),
  audioCodec: Option.none(),
  altText: Option.fromUndefinedOr(altText),
  link: Effect.succeed(link),
  read: (range) => streamOf(range === undefined ? bytes : bytes.subarray(range.offset, range.offset + range.length))
})

/** One of the files that the sandbox can load. */
export const hostedMedia = (name: keyof typeof hosted, altText?: string): PublishMedia => {
  const { bytes, type } = hosted[name]
  const kind = type.startsWith("video/") ? "video" : type === "image/gif" ? "gif" : "image"
  return mediaOf({
    bytes,
    contentType: type,
    kind,
    link: addressOf(name),
    ...(altText === undefined ? {} : { altText })
  })
}

export const publicationOf = (
  kind: PublicationKind,
  text: string,
  media: ReadonlyArray<PublishMedia> = [],
  values: Publication["options"]["values"] = {}
): Publication => ({ kind, text, media, options: { values, altTexts: {} }, operationId: "ptg_1" })

export const publishOf = ({ publish }: Pick<SocialConnector, "publish">): NetworkPublish => {
  assert.isDefined(publish)
  return publish ?? assert.fail("it publishes nothing")
}

const mostSteps = 100

/** As it comes back from a store. */
const stored = (preparation: Preparation): Preparation => JSON.parse(JSON.stringify(preparation))

/** All steps until it may be published, waiting as each says; and how long was waited for. */
export const prepared = Effect.fnUntraced(function* (
  publish: NetworkPublish,
  access: AccountAccess,
  publication: Publication,
  from: Option.Option<Preparation> = Option.none()
) {
  let kept = from
  for (let steps = 0; steps < mostSteps; steps++) {
    const step = yield* publish.prepare(access, publication, kept)
    kept = Option.some(stored(step.preparation))
    if (step._tag === "Ready") return stored(step.preparation)
    yield* TestClock.adjust(step.after)
  }
  return assert.fail("it is never ready")
})

/** From so long on it is a call's limit that is waited for, and not a pause between two calls. */
const shortestLimit_ms = 10_000

/**
 * Who pauses moves the clock by as much. Calls go over real sockets and take as long as the machine makes them take: the
 * clock stands still meanwhile.
 */
export const whileTimePasses = <A, E>(effect: Effect.Effect<A, E>) =>
  TestClock.testClockWith((clock) =>
    Effect.provideService(effect, Clock.Clock, {
      ...clock,
      sleep: (pause) => (Duration.toMillis(pause) < shortestLimit_ms ? clock.adjust(pause) : clock.sleep(pause))
    })
  )

/** An uncertain attempt that began just before now. */
export const uncertainOf = (publication: Publication, preparation: Preparation, known: ReadonlyArray<string> = []) =>
  Effect.map(DateTime.now, (now) => ({
    publication,
    preparation,
    attemptedAt: now,
    lastAttemptAt: now,
    knownIds: new Set(known),
    rivals: []
  }))
