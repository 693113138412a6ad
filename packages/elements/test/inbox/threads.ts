import type { Item, Note, Operation, SavedReply, Thread } from "../../src/inbox/records.ts"

const account = { id: "sa_1", network: "facebook", name: "Demo Shop", avatar_url: null }

/** An item of another person, as the API would tell it. */
export const itemOf = (change: Partial<Item> = {}): Item => ({
  id: "itm_1",
  workspace_id: "ws_1",
  external_user_id: null,
  source: "fb_comment",
  social_account_id: account.id,
  account,
  external_id: "1",
  parent_external_id: null,
  linked_post_id: "p",
  thread_id: "thr_1",
  thread_key: "k",
  thread_status: "open",
  assigned_to: null,
  author_id: "a",
  author_name: "Ada Lind",
  author_avatar_url: null,
  body: "Is it in stock?",
  attachments: [],
  url: null,
  is_read: false,
  is_own: false,
  is_hidden: false,
  is_liked: false,
  private_replied_at: null,
  capabilities: ["reply"],
  reply_window: null,
  post_id: null,
  received_at: "2026-11-23T10:00:00.000Z",
  created_at: "2026-11-23T10:00:00.000Z",
  edited_at: null,
  ...change
})

/** A thread whose last item came at a minute of one hour. */
export const threadOf = (id: string, minute: number, change: Partial<Thread> = {}): Thread => {
  const at = new Date(Date.UTC(2026, 10, 23, 10, minute)).toISOString()
  return {
    id,
    thread_key: id,
    source: "fb_comment",
    social_account_id: account.id,
    account,
    external_user_id: null,
    thread_status: "open",
    assigned_to: null,
    snoozed_until: null,
    labels: [],
    unread_count: 0,
    item_count: 1,
    last_item: itemOf({ id: `itm_${id}`, thread_id: id, received_at: at }),
    last_item_at: at,
    last_inbound_at: at,
    reply_window: null,
    participants: [],
    post_id: null,
    linked_post_id: null,
    created_at: at,
    ...change
  }
}

/** An operation that a worker has begun. */
export const operationOf = (change: Partial<Operation>): Operation => ({
  id: "op_1",
  item_id: "itm_1",
  source: "fb_comment",
  status: "sending",
  attempts: 1,
  response_item_id: null,
  error: null,
  reconciliation_deadline: null,
  reconciliation_required: false,
  created_at: "2026-11-23T10:00:00.000Z",
  updated_at: "2026-11-23T10:00:00.000Z",
  ...change
})

/** A note of a colleague. */
export const noteOf = (change: Partial<Note> = {}): Note => ({
  id: "note_1",
  thread_id: "thr_1",
  text: "Has called",
  author: null,
  created_at: "2026-11-23T10:00:00.000Z",
  ...change
})

export const savedReplyOf = (change: Partial<SavedReply> = {}): SavedReply => ({
  id: "sr_1",
  name: "Hours",
  text: "We open at 10",
  external_user_id: null,
  created_at: "2026-11-23T10:00:00.000Z",
  updated_at: "2026-11-23T10:00:00.000Z",
  ...change
})
