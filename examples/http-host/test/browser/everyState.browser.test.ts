import { assert } from "@effect/vitest"
import { TargetStatus } from "@loopbox/core/items/ShownPost"
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, openConversation } from "../support/consoleVisit.ts"
import { refuseWith, rewriteList, rewriteOne, type WireRecord } from "../support/rewriting.ts"

const { sandbox, signIn } = await startConsoleHost()

/** Each in light on a desk and in dark on a telephone. */
const looks = [
  { name: "desk", colorScheme: "light", viewport: windows.desk },
  { name: "telephone", colorScheme: "dark", viewport: windows.telephone }
] as const

type Look = (typeof looks)[number]

const judge = async (page: Page, { name }: Look, what: string): Promise<void> => {
  await assertAccessible(page, `${what}, ${name}`)
  await assertFits(page, `${what}, ${name}`)
  await keepPicture(page, `state ${what} ${name}`)
}

const soon = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

const rows = (page: Page) => page.getByRole("list", { name: "Conversations" }).getByRole("listitem")

/** Closes what Escape closes, and waits until it has. */
const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "hidden" })
}

const itemsPath = /\/inbox\/threads\/[^/]+\/items$/

/** All that an item can be, one below the other. */
const everyItem = (records: ReadonlyArray<WireRecord>): ReadonlyArray<WireRecord> => {
  const [first = {}] = records
  const make = (n: number, change: WireRecord): WireRecord => ({
    ...first,
    id: `${String(first["id"]).slice(0, -2)}${String(n).padStart(2, "0")}`,
    body: `Item ${n}`,
    ...change
  })
  const types = ["image", "video", "audio", "file", "share", "story", "unsupported"]
  const all = ["reply", "hide", "delete", "like", "private_reply"]
  return [
    ...records,
    ...types.map((type, n) => make(n + 10, { attachments: [{ type, url: `https://files.invalid/${type}` }] })),
    ...types.map((type, n) => make(n + 20, { attachments: [{ type, url: null }], body: "" })),
    make(30, { is_hidden: true, capabilities: ["unhide"] }),
    make(31, { is_liked: true, capabilities: ["unlike"] }),
    make(32, { edited_at: soon(-1), private_replied_at: soon(-1) }),
    make(33, { is_own: true, author_name: "Demo" }),
    make(34, { capabilities: all, url: "https://network.invalid/1" })
  ]
}

/** What an answer can meet before it is written. */
const obstacles: ReadonlyArray<readonly [name: string, says: string, change: WireRecord, account?: WireRecord]> = [
  ["closed", "wrote last too long ago", { capabilities: [], reply_window: { mode: "closed", closes_at: soon(-1) } }],
  ["closing", "stops taking answers", { reply_window: { mode: "standard", closes_at: soon(3) } }],
  ["human", "only a person may answer", { reply_window: { mode: "human_agent", closes_at: soon(30) } }],
  [
    "reconnect",
    "has to be connected again",
    { capabilities: [], reply_window: null },
    { status: "reauth_required", capabilities: [] }
  ],
  [
    "permission",
    "lacks the permission to answer this (may_answer)",
    { capabilities: ["hide"], reply_window: null },
    { capabilities: ["inbox", "hide"], missing_scopes: ["may_answer"] }
  ],
  ["never", "can't be answered here", { capabilities: ["hide"], reply_window: null }]
]

/** How an answer can end, by the host's refusal. */
const endings: ReadonlyArray<readonly [status: number, code: string, says: string]> = [
  [422, "PLATFORM_ERROR", "Not sent"],
  [409, "X_RECONNECT_REQUIRED", "Not sent"],
  [409, "X_WRITE_OUTCOME_PENDING", "Being checked"],
  [409, "X_WRITE_NEEDS_RECONCILIATION", "It is not known"]
]

describe("every state of a conversation", () => {
  for (const look of looks) {
    it(`has no violation: items, menus, dialogs, notes, on a ${look.name}`, async () => {
      await sandbox("comment", "--network", "instagram", `All of it, ${look.name}?`)
      const { context, page } = await signIn(look)
      await rewriteList(page, itemsPath, everyItem)
      await openConversation(page, `All of it, ${look.name}?`)
      await page.getByText("Item 34").waitFor()
      await judge(page, look, "items")
      await page.getByRole("button", { name: "Answer in private" }).last().click()
      await page.getByText("A private message to").waitFor()
      await judge(page, look, "private answer")
      await page.getByRole("textbox", { name: "Your answer" }).fill("x".repeat(9_000))
      await page.getByText("too many").waitFor()
      await judge(page, look, "too long")
      await page.getByRole("textbox", { name: "Your answer" }).fill("")
      await page.getByRole("button", { name: "Note", exact: true }).click()
      await page.getByRole("textbox", { name: "Note" }).fill("Only for us")
      await judge(page, look, "note")
      await page.getByRole("button", { name: "Add note" }).first().click()
      for (const menu of ["Assign", "Snooze"]) {
        await page.getByRole("button", { name: menu, exact: true }).first().click()
        await judge(page, look, `menu ${menu}`)
        await page.keyboard.press("Escape")
      }
      await page.getByRole("button", { name: "Delete on the network" }).last().click()
      await page.getByRole("dialog", { name: "Delete it on the network?" }).waitFor()
      await judge(page, look, "delete")
      await closeDialog(page)
      const details = page.getByRole("button", { name: "Details", exact: true })
      if (await details.isVisible()) await details.click()
      await page.getByLabel("Add a label").fill("VIP")
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Remove the label VIP" }).waitFor()
      await page.getByText("Only for us").first().waitFor()
      await judge(page, look, "details")
      await context.close()
    })

    it(`has no violation: what an answer meets, on a ${look.name}`, async () => {
      await sandbox("comment", "--network", "instagram", `Obstacles, ${look.name}?`)
      const { context, page } = await signIn(look)
      await openConversation(page, `Obstacles, ${look.name}?`)
      // What the host tells of the item, which was read just now, would stand in place of what the test makes of it.
      await page.routeWebSocket(/\/inbox\/ws/, (socket) => {
        const server = socket.connectToServer()
        server.onMessage((message) => {
          if (!String(message).includes('"item"')) socket.send(message)
        })
      })
      for (const [name, says, change, account = {}] of obstacles) {
        await rewriteOne(page, /\/v1\/accounts\/[^/]+$/, account)
        await rewriteList(page, itemsPath, (records) => records.map((one) => ({ ...one, ...change })))
        await page.reload()
        await page.getByText(says).first().waitFor()
        await judge(page, look, `answer ${name}`)
        await page.unrouteAll({ behavior: "wait" })
      }
      await page.reload()
      const field = page.getByRole("textbox", { name: "Your answer" })
      for (const [status, code, says] of endings) {
        await field.waitFor()
        await refuseWith(page, /\/inbox\/[^/]+\/repl/, status, code)
        await field.fill(`Refused with ${code}`)
        await field.press("Control+Enter")
        await page
          .locator("article[data-state]")
          .filter({ hasText: code.slice(0, 4) })
          .filter({ hasText: says })
          .waitFor()
        await judge(page, look, `answer ${code}`)
        await page.unrouteAll({ behavior: "wait" })
      }
      await context.close()
    })

    it(`has no violation: filters, nothing found, keys, settings, requests, on a ${look.name}`, async () => {
      const { context, page } = await signIn(look)
      await rows(page).first().waitFor()
      await page.getByRole("button", { name: "Filters" }).click()
      await judge(page, look, "filters")
      await page.keyboard.press("Escape")
      await page.getByRole("searchbox").fill("nothing has such words")
      await page.getByText("No conversation fits").waitFor()
      await judge(page, look, "nothing found")
      await page.getByRole("searchbox").fill("")
      await page.getByRole("tab", { name: "Snoozed" }).click()
      await page.getByText("All done").waitFor()
      await judge(page, look, "all done")
      await page.getByRole("tab", { name: "All" }).click()
      await rows(page).first().getByRole("button").focus()
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keys" }).waitFor()
      await judge(page, look, "keys")
      await closeDialog(page)
      await page.getByRole("button", { name: "Settings" }).click()
      await judge(page, look, "settings")
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "As curl" }).click()
      await page.getByRole("dialog", { name: "What this page asked" }).waitFor()
      const dialog = await page.getByRole("dialog").boundingBox()
      await page.getByRole("button", { name: "Copy" }).first().waitFor()
      for (const copy of await page.getByRole("button", { name: "Copy" }).all()) {
        const place = await copy.boundingBox()
        const edge = (dialog?.x ?? 0) + (dialog?.width ?? 0)
        assert.isAtMost((place?.x ?? 0) + (place?.width ?? 0), edge, "a button is beside its dialog")
      }
      await judge(page, look, "requests")
      await closeDialog(page)
      await context.close()
    })
  }
})

const codes = [
  "reconnect_required",
  "missing_scopes",
  "webhook_not_subscribed",
  "webhook_quiet",
  "rate_limited",
  "network_unavailable"
]

/** Accounts as well and as ill as they can be. */
const everyAccount = (records: ReadonlyArray<WireRecord>): ReadonlyArray<WireRecord> => {
  const [first = {}] = records
  const problems = codes.map((code) => ({
    code,
    message: `It has the fault ${code}.`,
    remedy: "Do what helps.",
    since: soon(-5),
    retry_at: soon(1)
  }))
  const health = { last_webhook_at: null, last_poll_at: soon(-1) }
  return [
    ...records,
    { ...first, id: "acc_1", name: "Degraded", health: { ...health, status: "degraded", problems: problems.slice(1) } },
    {
      ...first,
      id: "acc_2",
      name: "Broken",
      status: "reauth_required",
      health: { ...health, status: "broken", problems }
    },
    { ...first, id: "acc_3", name: "Gone", status: "disconnected", health: { ...health, status: "ok", problems: [] } }
  ]
}

const everyPost = (): ReadonlyArray<WireRecord> =>
  ["draft", "scheduled", "publishing", "published", "partial", "failed", "canceled"].map((status, n) => ({
    id: `pst_${n}`,
    status,
    text: status === "draft" ? null : `A post that is ${status}`,
    media_ids: [],
    scheduled_at: status === "scheduled" ? soon(5) : null,
    published_at: null,
    warnings: [],
    created_at: soon(-n),
    updated_at: soon(-n),
    targets: TargetStatus.literals.map((state, at) => ({
      id: `ptg_${n}${at}`,
      social_account_id: "acc_1",
      network: ["instagram", "facebook", "threads", "x"][at % 4],
      status: state,
      text: null,
      media_ids: null,
      first_comment: null,
      options: {},
      external_id: null,
      url: state === "published" ? "https://network.invalid/1" : null,
      attempts: 1,
      error:
        state === "failed"
          ? {
              code: "media_rejected",
              message: "The network refused the file.",
              retryable: true,
              network_code: "9",
              retry_at: null
            }
          : null,
      published_at: null
    }))
  }))

const failures = [
  "gif_dimensions_exceeded",
  "gif_probe_failed",
  "processing_timeout",
  "input_media_unavailable",
  "canceled"
]

const everyJob = (): ReadonlyArray<WireRecord> => {
  const shared = {
    kind: "gif_to_mp4",
    gif_media_id: "med_1",
    background_color: "#FFFFFF",
    output_profile: "universal_mp4_v1",
    output_media_id: null,
    progress: null,
    attempts: 1,
    created_at: soon(-1),
    started_at: null,
    completed_at: null,
    error: null
  }
  return [
    { ...shared, id: "mpj_1", status: "queued" },
    { ...shared, id: "mpj_2", status: "processing", progress: 0.4 },
    { ...shared, id: "mpj_3", status: "processing" },
    ...failures.map((code, n) => ({
      ...shared,
      id: `mpj_f${n}`,
      status: "failed",
      error: { code, message: "As the host says it.", retryable: false }
    }))
  ]
}

const everyEndpoint = (): ReadonlyArray<WireRecord> =>
  [
    ["enabled", null],
    ["failing", null],
    ["disabled", "gone"],
    ["disabled", "failures"],
    ["disabled", "requested"]
  ].map(([status, status_reason], n) => ({
    id: `whe_${n}`,
    url: `https://receiver-${n}.example/hooks/of/a/customer`,
    events: n % 2 === 0 ? null : ["inbox.*", "post.published"],
    external_user_id: null,
    description: null,
    status,
    status_reason,
    is_ordered: n === 1,
    created_at: soon(-9),
    last_success_at: n === 0 ? soon(-1) : null,
    last_failure_at: n === 1 ? soon(-1) : null
  }))

const everyDelivery = (): ReadonlyArray<WireRecord> =>
  ["pending", "delivered", "failed", "canceled"].map((status, n) => ({
    id: `whd_${n}`,
    endpoint_id: "whe_2",
    event_type: "inbox.new_item",
    event_seq: n,
    status,
    attempts: n + 1,
    next_attempt_at: status === "pending" ? soon(1) : null,
    created_at: soon(-1)
  }))

describe("every state of the other pages", () => {
  for (const look of looks) {
    it(`has no violation: accounts, posts, media, webhooks, activity, on a ${look.name}`, async () => {
      const { context, page } = await signIn(look)
      await rewriteList(page, /\/console\/v1\/accounts$/, everyAccount)
      await rewriteList(page, /\/console\/v1\/posts$/, everyPost)
      await rewriteList(page, /\/console\/v1\/media\/gif-conversions$/, everyJob)
      await rewriteList(page, /\/console\/v1\/webhook-endpoints$/, everyEndpoint)
      await rewriteList(page, /\/console\/v1\/webhook-endpoints\/[^/]+\/deliveries$/, everyDelivery)

      await goTo(page, "Accounts")
      await page.getByText("Polls found new items that no webhook").first().waitFor()
      await judge(page, look, "accounts")
      await page.getByRole("button", { name: "Connect an account" }).click()
      await judge(page, look, "connect")
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Disconnect" }).first().click()
      await page.getByRole("dialog", { name: "Disconnect this account?" }).waitFor()
      await judge(page, look, "disconnect")
      await closeDialog(page)

      await goTo(page, "Posts")
      await page.getByText("A post that is partial").waitFor()
      await judge(page, look, "posts")

      await goTo(page, "Media")
      await page.getByText("It was canceled.").waitFor()
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") })
      await page.getByText("words.txt is no GIF.").waitFor()
      await judge(page, look, "media")

      await goTo(page, "Webhooks")
      await page.getByText("Failing").first().waitFor()
      await judge(page, look, "webhooks")
      await page.getByRole("button", { name: /receiver-2/ }).click()
      await page.getByText("Canceled").first().waitFor()
      await judge(page, look, "deliveries")
      for (const [name, heading] of [
        ["Edit", "Edit"],
        ["Delete", "Delete this address?"]
      ] as const) {
        await page.getByRole("button", { name, exact: true }).click()
        await page.getByRole("dialog").waitFor()
        await judge(page, look, heading)
        await closeDialog(page)
      }
      await page.getByRole("button", { name: "All addresses" }).click()
      await page.getByRole("button", { name: /receiver-0/ }).click()
      await page.getByRole("button", { name: "Replay" }).click()
      await page.getByRole("dialog", { name: "Send events again" }).waitFor()
      await judge(page, look, "replay")
      await closeDialog(page)

      await goTo(page, "Activity")
      const ranges = page.getByRole("tab")
      await ranges.first().waitFor()
      for (let at = 0; at < (await ranges.count()); at++) {
        await ranges.nth(at).click()
        await page.locator(".loading-state").first().waitFor({ state: "detached" })
        await judge(page, look, `activity ${at}`)
      }
      await page.unrouteAll({ behavior: "wait" })
      await context.close()
    })

    it(`has no violation: a host that can't be reached, on a ${look.name}`, async () => {
      const { context, page } = await signIn(look)
      await page.route(/\/console\/session$/, (route) => route.abort())
      await page.reload()
      await page.getByRole("heading", { name: "The host can't be reached" }).waitFor()
      await judge(page, look, "unreachable")
      await page.unrouteAll({ behavior: "wait" })
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("navigation").waitFor()
      assert.strictEqual(await page.getByRole("alert").count(), 0)
      await context.close()
    })

    it(`has no violation: an installation without a workspace, on a ${look.name}`, async () => {
      const { context, page } = await signIn(look)
      await page.route(/\/console\/session$/, async (route) => {
        const answer = await route.fetch()
        const body: { readonly data: WireRecord } = JSON.parse(await answer.text())
        await route.fulfill({ json: { ...body, data: { ...body.data, workspaces: [] } } })
      })
      await page.reload()
      await page.getByText("There is no workspace yet").waitFor()
      await page.locator("code", { hasText: /^loopbox workspace create$/ }).waitFor()
      await judge(page, look, "no workspace")
      await page.unrouteAll({ behavior: "wait" })
      await context.close()
    })
  }
})
