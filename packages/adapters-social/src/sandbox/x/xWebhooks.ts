import * as DateTime from "effect/DateTime"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import type { XWebhook } from "../Subscriptions.ts"
import { digitsOf } from "../worldIds.ts"
import { isAppBearer } from "./isAppBearer.ts"
import { forbidden, invalidRequest, problem } from "./xAnswers.ts"

const mostWebhooks = 5

/** On this machine X would never get, a simulated one does. */
const isReachable = (url: string): boolean =>
  /^(https:\/\/|http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)[:/])/.test(url)

const shown = ({ createdAt, id, url }: XWebhook) => ({
  id,
  url,
  valid: true,
  created_at: DateTime.formatIso(createdAt)
})

const asApp =
  (answer: (scene: Scene, ask: Ask) => SandboxAnswer): ((scene: Scene, ask: Ask) => SandboxAnswer) =>
  (scene, ask) =>
    isAppBearer(scene, ask)
      ? answer(scene, ask)
      : forbidden("Authenticating with this type of token is forbidden for this endpoint.")

const crcFailed = problem(400, "CrcValidationFailed", "Webhook URL did not answer the challenge rightly.")

const register = ({ at, subscriptions }: Scene, ask: Ask): SandboxAnswer => {
  const url = ask.text("url") ?? ""
  if (!isReachable(url)) return invalidRequest("url", url, "The `url` must be an https address")
  const known = subscriptions.webhooks()
  if (known.some((one) => one.url === url)) return problem(400, "DuplicateUrlFailed", "Url already exists.")
  if (known.length >= mostWebhooks) return problem(400, "WebhookLimitExceeded", "There are too many webhooks.")
  const webhook = { id: digitsOf(`webhook ${url} ${DateTime.toEpochMillis(at)}`, 19), url, createdAt: at }
  return {
    ...crcFailed,
    challenge: {
      url,
      token: digitsOf(`crc ${webhook.id}`, 32),
      passed: () => {
        subscriptions.addWebhook(webhook)
        return { status: 200, body: { data: shown(webhook) } }
      }
    }
  }
}

const list = ({ subscriptions }: Scene): SandboxAnswer => {
  const data = subscriptions.webhooks().map(shown)
  return { status: 200, body: { data, meta: { result_count: data.length } } }
}

const unknown = problem(404, "Not Found Error", "There is no such webhook.")

const remove = ({ subscriptions }: Scene, ask: Ask): SandboxAnswer =>
  subscriptions.removeWebhook(ask.param("id")) ? { status: 200, body: { data: { deleted: true } } } : unknown

const validate = ({ at, subscriptions }: Scene, ask: Ask): SandboxAnswer => {
  const webhook = subscriptions.webhooks().find(({ id }) => id === ask.param("id"))
  if (webhook === undefined) return unknown
  return {
    ...crcFailed,
    challenge: {
      url: webhook.url,
      token: digitsOf(`crc ${webhook.id} ${DateTime.toEpochMillis(at)}`, 32),
      passed: () => ({ status: 200, body: { data: { valid: true } } })
    }
  }
}

/** `/2/webhooks`, by the app's bearer token alone. Where an address is registered, it has to answer a challenge. */
export const xWebhooks = {
  list: { name: "list_webhooks", openAnswer: asApp(list) },
  register: { name: "register_webhook", openAnswer: asApp(register) },
  validate: { name: "validate_webhook", openAnswer: asApp(validate) },
  remove: { name: "remove_webhook", openAnswer: asApp(remove) }
} satisfies Readonly<Record<string, Operation>>
