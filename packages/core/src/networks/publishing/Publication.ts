import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { StoreUnavailable } from "../../kernel/StoreUnavailable.ts"
import type { Unavailable } from "../ConnectorErrors.ts"

/** What a post is at a network; decides its calls and its limits. */
export type PublicationKind = "text" | "link" | "image" | "photos" | "carousel" | "gif" | "video" | "reel" | "story"

/** What is known of a file, for the rules of a network. */
export interface MediaShape {
  readonly mediaId: string
  readonly kind: "image" | "gif" | "video" | "other"
  /** `image/jpeg`, without parameters. */
  readonly contentType: string
  readonly sizeBytes: number
  /** In pixels. */
  readonly width: Option.Option<number>
  readonly height: Option.Option<number>
  readonly durationMs: Option.Option<number>
  /** Frames a second. */
  readonly frameRate: Option.Option<number>
  /** Number of frames of a GIF. */
  readonly frames: Option.Option<number>
  /** As MP4 names it: `avc1`, `hvc1`. */
  readonly videoCodec: Option.Option<string>
  /** `none` also if there is no sound. */
  readonly audioCodec: Option.Option<string>
}

/** Options of one target, by the network's names; checked against the network's `OptionRule`s. */
export interface PublishOptions {
  readonly values: Readonly<Record<string, string | boolean>>
  /** By media id. */
  readonly altTexts: Readonly<Record<string, string>>
}

/** One target of a post before it is accepted. */
export interface PublishDraft {
  /** As it was given; empty if there is none. */
  readonly text: string
  readonly media: ReadonlyArray<MediaShape>
  readonly options: PublishOptions
}

/** A file of a publication. */
export interface PublishMedia extends MediaShape {
  readonly altText: Option.Option<string>
  /** A signed https address without cookies or redirects, valid 24 hours from now, for a network that fetches. */
  readonly link: Effect.Effect<string, StoreUnavailable>
  /** The bytes, or a part of them, for a network that takes bytes; never all in memory. */
  readonly read: (range?: {
    readonly offset: number
    readonly length: number
  }) => Stream.Stream<Uint8Array, Unavailable>
}

/** One target of a post, ready to be published. */
export interface Publication {
  readonly kind: PublicationKind
  /** Sent unchanged; empty if there is none. */
  readonly text: string
  readonly media: ReadonlyArray<PublishMedia>
  readonly options: PublishOptions
  /** The target's id. */
  readonly operationId: string
}

/** A post that is on the network. */
export interface Published {
  readonly externalId: string
  /** Its address for people. */
  readonly url: Option.Option<string>
  /** All ids by which comments name it, `externalId` among them if they do. */
  readonly postIds: ReadonlyArray<string>
}
