import type { PublicationKind } from "./Publication.ts"
import type { PublishFaultCode, PublishWarningCode } from "./PublishFaultCode.ts"

/** Both ends belong to the range; `most` is `Infinity` where there is no upper one. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** The limits of one file. What is absent is not limited, and a fact that is unknown breaks no limit. */
export interface MediaLimits {
  readonly contentTypes: ReadonlyArray<string>
  readonly maxBytes: number
  /** In pixels. */
  readonly width?: Range
  readonly height?: Range
  /** Of a picture that may lie or stand. In pixels. */
  readonly longerSide?: Range
  readonly shorterSide?: Range
  /** Width divided by height. */
  readonly ratio?: Range
  readonly durationMs?: Range
  /** Frames a second. */
  readonly frameRate?: Range
  readonly maxFrames?: number
  /** Width times height times frames. */
  readonly maxFramePixels?: number
  /** As MP4 names them. */
  readonly videoCodecs?: ReadonlyArray<string>
  readonly audioCodecs?: ReadonlyArray<string>
}

/** What one kind of post may be on one network (social-networks-write.md B0): data, without code. */
export interface PublishRule {
  readonly kind: PublicationKind
  /** `ignored`: the kind shows no text; a text that is given brings the warning `text_ignored`. */
  readonly text: "required" | "optional" | "ignored"
  /** How many files. */
  readonly media: Range
  /** Images and videos together in one post. */
  readonly isMixed: boolean
  /** Absent: this kind takes none. */
  readonly image?: MediaLimits
  /** Absent: a GIF must be converted to MP4 first (`gif_conversion_required`). */
  readonly gif?: MediaLimits
  readonly video?: MediaLimits
}

/** The limits of texts on one network. */
export interface TextLimits {
  /** As `NetworkPublish.measure` counts. */
  readonly length: number
  readonly hashtags?: number
  readonly mentions?: number
  /** Different addresses. */
  readonly links?: number
  /** In characters. */
  readonly altText: number
  /** Absent: the network takes no first comment. As `measure` counts. */
  readonly firstComment?: number
}

/** One option that a network knows, and its values. */
export interface OptionRule {
  readonly name: string
  readonly value:
    | { readonly type: "choice"; readonly of: ReadonlyArray<string> }
    | { readonly type: "flag" }
    /** In characters. */
    | { readonly type: "text"; readonly most: number }
    /** An http or https address. */
    | { readonly type: "address" }
}

/** A fault that a network's own rule finds in a draft. */
export interface PublishFault {
  /** Of the target: `text`, `media_ids[0]`, `options.link`. */
  readonly path: string
  readonly code: PublishFaultCode
  readonly message: string
  /** What the draft has and what the network allows, if that can be said. */
  readonly actual?: number | string
  readonly limit?: number | string
}

export interface PublishWarning {
  readonly path: string
  readonly code: PublishWarningCode
  readonly message: string
}

/** As what a draft goes out, and what no row of limits can say of it. */
export interface PublishChoice {
  readonly kind: PublicationKind
  readonly faults: ReadonlyArray<PublishFault>
  readonly warnings: ReadonlyArray<PublishWarning>
}
