import type { Network } from "@loopbox/adapters-social/names"

/** The files of the benchmark's posts. */
export type FileName = "photo" | "gif" | "clip" | "vertical"

/** One kind of post, and the least requests that bring it to its network at most once. */
export interface PostKind {
  readonly name: string
  readonly files: ReadonlyArray<FileName>
  readonly options?: Readonly<Record<string, string>>
  readonly least: number
}

/** A post's own container: it is made, found ready once, as the documents ask for, and published; and its address is read. */
const container = 1 + 1 + 1 + 1

/**
 * What is counted (social-networks-write.md B1–B4):
 *
 * - of Instagram and Threads the calls of `container`, and one for each part of a carousel. That a part is ready is told
 *   by the whole, so no look at a part is counted
 * - of a Page one call for words; one for each photo and one for the post, because a photo that is put up and shown in
 *   one call could not be told from another; of a video the call and the read of its address; of a reel its start, its
 *   bytes, its end, and one look, which tells whether it is shown, and where
 * - of X the post, one call for each image, and of a GIF or a video its beginning, its one piece, its end and one look
 *
 * No read of a quota is counted, no second look, and nothing that is asked of an account.
 */
export const kinds: Record<Network, ReadonlyArray<PostKind>> = {
  instagram: [
    { name: "image", files: ["photo"], least: container },
    { name: "reel", files: ["vertical"], least: container },
    { name: "carousel", files: ["photo", "clip"], least: 2 + container },
    { name: "story", files: ["photo"], options: { kind: "story" }, least: container }
  ],
  facebook: [
    { name: "text", files: [], least: 1 },
    { name: "link", files: [], options: { link: "https://shop.example/" }, least: 1 },
    { name: "image", files: ["photo"], least: 2 },
    { name: "photos", files: ["photo", "gif"], least: 3 },
    { name: "video", files: ["clip"], least: 2 },
    { name: "reel", files: ["vertical"], least: 4 }
  ],
  threads: [
    { name: "text", files: [], least: container },
    { name: "image", files: ["photo"], least: container },
    { name: "video", files: ["clip"], least: container },
    { name: "carousel", files: ["photo", "clip"], least: 2 + container }
  ],
  x: [
    { name: "text", files: [], least: 1 },
    { name: "image", files: ["photo"], least: 2 },
    { name: "photos", files: ["photo", "photo"], least: 3 },
    { name: "gif", files: ["gif"], least: 5 },
    { name: "video", files: ["clip"], least: 5 }
  ]
}
