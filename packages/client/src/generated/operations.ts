// Made from the OpenAPI document by `npm run client:generate`; do not edit.

import type { Make } from "../Operation.ts"

/** Every operation of the API, by its tag and name. */
export class Operations {
  readonly inbox
  readonly moderation
  readonly sync
  readonly outbound
  readonly savedReplies
  readonly threads
  readonly labels
  readonly notes
  readonly connect
  readonly connectedAccounts
  readonly posts
  readonly conversions
  readonly overlays
  readonly media
  readonly webhookEndpoints
  readonly usage
  readonly audit
  readonly admin
  readonly accounts

  constructor(make: Make) {
    this.inbox = {
      /** List items, newest first. */
      list: make.list("GET", "/v1/inbox"),
      /** Count what is unread and not own. */
      countUnread: make.query("GET", "/v1/inbox/unread-count"),
      /** Mark everything read that was stored when the request began. */
      markAllRead: make.query("POST", "/v1/inbox/mark-all-read"),
      /** Read an item. */
      find: make.query("GET", "/v1/inbox/{id}"),
      /** Mark an item read. */
      markRead: make.query("POST", "/v1/inbox/{id}/read", "nothing"),
      /** Move an item's thread. */
      setThreadState: make.json("POST", "/v1/inbox/{id}/thread-state", ["inbox_scope", "external_user_id"])
    }
    this.moderation = {
      /** Delete an item on its network. */
      remove: make.query("DELETE", "/v1/inbox/{id}", "nothing"),
      /** Do the same with up to 100 items. */
      batch: make.json("POST", "/v1/inbox/batch", ["inbox_scope", "external_user_id"]),
      /** Hide an item on its network. */
      hide: make.query("POST", "/v1/inbox/{id}/hide"),
      /** Show a hidden item again. */
      unhide: make.query("POST", "/v1/inbox/{id}/unhide"),
      /** Like an item in the account's name. */
      like: make.query("POST", "/v1/inbox/{id}/like"),
      /** Take a like back. */
      unlike: make.query("POST", "/v1/inbox/{id}/unlike"),
      /** Mark an item unread. */
      markUnread: make.query("POST", "/v1/inbox/{id}/unread", "nothing")
    }
    this.sync = {
      /** Poll the networks now, or read a bounded past of X. */
      start: make.json("POST", "/v1/inbox/sync", ["inbox_scope", "external_user_id"]),
      /** Read a sync as it is now. */
      find: make.query("GET", "/v1/inbox/sync/{id}")
    }
    this.outbound = {
      /** Reply to an item. */
      reply: make.json("POST", "/v1/inbox/{id}/reply", ["inbox_scope", "external_user_id"]),
      /** Answer a comment by a direct message. */
      privateReply: make.json("POST", "/v1/inbox/{id}/private-reply", ["inbox_scope", "external_user_id"]),
      /** Read the post that an item belongs to. */
      findMediaContext: make.query("GET", "/v1/inbox/{id}/media-context"),
      /** Read what became of a reply. */
      findOperation: make.query("GET", "/v1/inbox/outbound-operations/{id}"),
      /** Read what became of a reply, by its older name. */
      findXOperation: make.query("GET", "/v1/inbox/x-outbound-operations/{requestID}")
    }
    this.savedReplies = {
      /** List saved replies, newest first. */
      list: make.list("GET", "/v1/inbox/saved-replies"),
      /** Save a text to answer with. */
      create: make.json("POST", "/v1/inbox/saved-replies", ["inbox_scope", "external_user_id"]),
      /** Change a saved reply. */
      update: make.json("PATCH", "/v1/inbox/saved-replies/{id}", ["inbox_scope", "external_user_id"]),
      /** Delete a saved reply. */
      remove: make.query("DELETE", "/v1/inbox/saved-replies/{id}", "nothing")
    }
    this.threads = {
      /** List threads by their last item, newest first. */
      list: make.list("GET", "/v1/inbox/threads"),
      /** Read a thread. */
      find: make.query("GET", "/v1/inbox/threads/{id}"),
      /** List a thread's items. */
      items: make.list("GET", "/v1/inbox/threads/{id}/items"),
      /** Mark a thread's items read. */
      markRead: make.query("POST", "/v1/inbox/threads/{id}/read"),
      /** Move a thread, or snooze it. */
      setState: make.json("POST", "/v1/inbox/threads/{id}/state", ["inbox_scope", "external_user_id"]),
      /** Give a thread its labels. */
      setLabels: make.json("PUT", "/v1/inbox/threads/{id}/labels", ["inbox_scope", "external_user_id"])
    }
    this.labels = {
      /** List labels. */
      list: make.list("GET", "/v1/inbox/labels")
    }
    this.notes = {
      /** List a thread's notes, oldest first. */
      list: make.list("GET", "/v1/inbox/threads/{id}/notes"),
      /** Note something on a thread. */
      create: make.json("POST", "/v1/inbox/threads/{id}/notes", ["inbox_scope", "external_user_id"]),
      /** Delete a note. */
      remove: make.query("DELETE", "/v1/inbox/threads/{id}/notes/{note_id}", "nothing")
    }
    this.connect = {
      /** Let a person connect an account. */
      createSession: make.json("POST", "/v1/connect/sessions", ["inbox_scope"], ["external_user_id"]),
      /** Read what became of a session. */
      findSession: make.query("GET", "/v1/connect/sessions/{id}")
    }
    this.connectedAccounts = {
      /** List connected accounts, newest first, with their health. */
      list: make.list("GET", "/v1/accounts"),
      /** Read an account with its health. */
      find: make.query("GET", "/v1/accounts/{id}"),
      /** Disconnect an account. */
      disconnect: make.query("DELETE", "/v1/accounts/{id}", "nothing"),
      /** Ask the network now how an account is. */
      check: make.query("POST", "/v1/accounts/{id}/check"),
      /** Let a person connect an account again. */
      reconnect: make.json("POST", "/v1/accounts/{id}/reconnect", ["inbox_scope", "external_user_id"])
    }
    this.posts = {
      /** Publish a post. */
      create: make.json("POST", "/v1/posts", ["inbox_scope", "external_user_id"]),
      /** List posts, newest first. */
      list: make.list("GET", "/v1/posts"),
      /** Judge a post without storing it. */
      validate: make.json("POST", "/v1/posts/validate", ["inbox_scope", "external_user_id"]),
      /** Read a post with its targets. */
      find: make.query("GET", "/v1/posts/{id}"),
      /** Change a draft, or the time of a scheduled post. */
      edit: make.json("PATCH", "/v1/posts/{id}", ["inbox_scope", "external_user_id"]),
      /** Delete a draft or an ended post. */
      remove: make.query("DELETE", "/v1/posts/{id}", "nothing"),
      /** Publish a draft. */
      publish: make.query("POST", "/v1/posts/{id}/publish"),
      /** Cancel a post. */
      cancel: make.query("POST", "/v1/posts/{id}/cancel"),
      /** Publish a failed target again. */
      retryTarget: make.query("POST", "/v1/posts/{id}/targets/{targetID}/retry"),
      /** Delete a published target on its network. */
      removeTarget: make.query("DELETE", "/v1/posts/{id}/targets/{targetID}")
    }
    this.conversions = {
      /** Convert a GIF. */
      create: make.json("POST", "/v1/media/gif-conversions"),
      /** List conversions, newest first. */
      list: make.list("GET", "/v1/media/gif-conversions"),
      /** Read a conversion. */
      find: make.query("GET", "/v1/media/gif-conversions/{id}"),
      /** Cancel a queued or processing conversion. */
      cancel: make.query("DELETE", "/v1/media/gif-conversions/{id}")
    }
    this.overlays = {
      /** Lay a sound over a video. */
      create: make.json("POST", "/v1/media/audio-overlays"),
      /** List audio overlays, newest first. */
      list: make.list("GET", "/v1/media/audio-overlays"),
      /** Read an audio overlay. */
      find: make.query("GET", "/v1/media/audio-overlays/{id}"),
      /** Cancel a queued or processing overlay. */
      cancel: make.query("DELETE", "/v1/media/audio-overlays/{id}")
    }
    this.media = {
      /** Upload a file, or reserve an upload. */
      upload: make.file("POST", "/v1/media"),
      /** List media, newest first. */
      list: make.list("GET", "/v1/media"),
      /** Read a media record. */
      find: make.query("GET", "/v1/media/{id}"),
      /** Delete a file. */
      remove: make.query("DELETE", "/v1/media/{id}"),
      /** Send the bytes of a reserved upload. */
      finish: make.file("PUT", "/v1/media/{id}/content"),
      /** Download a file. */
      content: make.query("GET", "/v1/media/{id}/content", "file")
    }
    this.webhookEndpoints = {
      /** Create a webhook endpoint. */
      create: make.json("POST", "/v1/webhook-endpoints", ["inbox_scope"], ["external_user_id"]),
      /** List webhook endpoints, newest first. */
      list: make.list("GET", "/v1/webhook-endpoints"),
      /** Read a webhook endpoint. */
      find: make.query("GET", "/v1/webhook-endpoints/{id}"),
      /** Change a webhook endpoint. */
      update: make.json("PATCH", "/v1/webhook-endpoints/{id}", ["inbox_scope"], ["external_user_id"]),
      /** Delete a webhook endpoint. */
      remove: make.query("DELETE", "/v1/webhook-endpoints/{id}", "nothing"),
      /** Make a new secret. */
      rotateSecret: make.query("POST", "/v1/webhook-endpoints/{id}/rotate-secret"),
      /** Send an example now. */
      test: make.json("POST", "/v1/webhook-endpoints/{id}/test", ["inbox_scope", "external_user_id"]),
      /** List deliveries, newest first. */
      listDeliveries: make.list("GET", "/v1/webhook-endpoints/{id}/deliveries"),
      /** Read a delivery. */
      findDelivery: make.query("GET", "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}"),
      /** Deliver again. */
      redeliver: make.query("POST", "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver"),
      /** Deliver what happened since a number. */
      replay: make.json("POST", "/v1/webhook-endpoints/{id}/replay", ["inbox_scope", "external_user_id"])
    }
    this.usage = {
      /** Read what the workspace uses, and what it may use. */
      read: make.query("GET", "/v1/usage")
    }
    this.audit = {
      /** List what was changed, by whom, newest first. */
      list: make.list("GET", "/v1/audit-events")
    }
    this.admin = {
      /** Make a workspace. */
      createWorkspace: make.json("POST", "/v1/admin/workspaces"),
      /** List workspaces, newest first. */
      listWorkspaces: make.list("GET", "/v1/admin/workspaces"),
      /** Read a workspace. */
      findWorkspace: make.query("GET", "/v1/admin/workspaces/{id}"),
      /** Change a workspace. */
      updateWorkspace: make.json("PATCH", "/v1/admin/workspaces/{id}"),
      /** Erase a workspace with all its data. */
      eraseWorkspace: make.query("DELETE", "/v1/admin/workspaces/{id}", "nothing"),
      /** List members by their user ids. */
      listMembers: make.list("GET", "/v1/admin/workspaces/{id}/members"),
      /** Read a member. */
      findMember: make.query("GET", "/v1/admin/workspaces/{id}/members/{user_id}"),
      /** Add a member (201), or change one's role (200). */
      setMember: make.json("PUT", "/v1/admin/workspaces/{id}/members/{user_id}"),
      /** Remove a member. */
      removeMember: make.query("DELETE", "/v1/admin/workspaces/{id}/members/{user_id}", "nothing"),
      /** Make an API key; its text is shown once. */
      issueKey: make.json("POST", "/v1/admin/workspaces/{id}/api-keys"),
      /** List API keys, newest first. */
      listKeys: make.list("GET", "/v1/admin/workspaces/{id}/api-keys"),
      /** Read an API key. */
      findKey: make.query("GET", "/v1/admin/workspaces/{id}/api-keys/{key_id}"),
      /** Revoke an API key. */
      revokeKey: make.query("DELETE", "/v1/admin/workspaces/{id}/api-keys/{key_id}", "nothing"),
      /** Move the test clock. */
      advanceClock: make.json("POST", "/v1/admin/test/clock")
    }
    this.accounts = {
      /** List managed users, newest first. */
      listManagedUsers: make.list("GET", "/v1/admin/workspaces/{id}/managed-users"),
      /** Make a managed user (201), or find it known (200). */
      putManagedUser: make.json("PUT", "/v1/admin/workspaces/{id}/managed-users/{external_user_id}"),
      /** Read a managed user. */
      findManagedUser: make.query("GET", "/v1/admin/workspaces/{id}/managed-users/{external_user_id}"),
      /** Erase a managed user with its accounts and all their data. */
      eraseManagedUser: make.query("DELETE", "/v1/admin/workspaces/{id}/managed-users/{external_user_id}", "nothing"),
      /** Export everything that is kept of a managed user, as lines of JSON. */
      exportManagedUser: make.query("GET", "/v1/admin/workspaces/{id}/managed-users/{external_user_id}/export", "file"),
      /** Connect an account. */
      connect: make.json("POST", "/v1/admin/workspaces/{id}/social-accounts"),
      /** List accounts, newest first, disconnected ones included. */
      list: make.list("GET", "/v1/admin/workspaces/{id}/social-accounts"),
      /** Read an account. */
      find: make.query("GET", "/v1/admin/workspaces/{id}/social-accounts/{account_id}"),
      /** Change or move an account. */
      update: make.json("PATCH", "/v1/admin/workspaces/{id}/social-accounts/{account_id}"),
      /** Disconnect an account; its items are hidden, and erased after 7 days. */
      disconnect: make.query("DELETE", "/v1/admin/workspaces/{id}/social-accounts/{account_id}", "nothing"),
      /** Sign a dashboard token for development; only with the local issuer. */
      issueDashboardToken: make.json("POST", "/v1/admin/workspaces/{id}/dashboard-tokens")
    }
  }
}
