import { createHmac } from "node:crypto"

/** A webhook of Meta as it comes over the network. */
export const metaDelivery = (secret: string, payload: unknown) => {
  const body = JSON.stringify(payload)
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
  return { method: "POST", body, headers: { "x-hub-signature-256": signature } }
}
