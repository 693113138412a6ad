import { createHmac } from "node:crypto"
import { request } from "../examples/http-host/test/support/apiClient.ts"

/** A comment of Instagram's, as its webhook says it. */
export interface Comment {
  /** The account that it was written to. */
  readonly page: string
  readonly id: string
}

const entryOf = (page: string, comments: ReadonlyArray<Comment>) => ({
  id: page,
  time: 1_771_322_400,
  changes: comments.map(({ id }) => ({
    field: "comments",
    value: { id, text: `What a lovely picture, says ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  }))
})

/** Delivers comments in one signed webhook; an error unless it was stored. */
export const deliver = async (url: string, appSecret: string, comments: ReadonlyArray<Comment>): Promise<void> => {
  const entries = Map.groupBy(comments, ({ page }) => page)
  const entry = [...entries].map(([page, ofPage]) => entryOf(page, ofPage))
  const body = JSON.stringify({ object: "instagram", entry })
  const signature = `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
  const answer = await request(`${url}/v1/webhooks/meta`, {
    method: "POST",
    body,
    headers: { "x-hub-signature-256": signature }
  })
  if (answer.status !== 200) throw new Error(`webhook: ${answer.status} ${answer.text}`)
}
