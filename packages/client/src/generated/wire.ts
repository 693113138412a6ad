// Made from the OpenAPI document by `npm run client:generate`; do not edit.
// document: 97e201f8f21b6614ac70738572bfdf714ad4d3bb626083ce6679ce6eb3ecdedc

export interface paths {
  "/v1/inbox": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List items, newest first
     * @description A short page is not the end; only `next_cursor: null` is. A cursor holds its scope and its filters; `limit` may change.
     */
    get: operations["inbox.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/unread-count": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count what is unread and not own
     * @description Of the sources that the plan has. Items that the account wrote itself are never unread.
     */
    get: operations["inbox.countUnread"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/mark-all-read": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark everything read that was stored when the request began
     * @description Items that come in while it runs stay unread. It answers how many it changed.
     */
    post: operations["inbox.markAllRead"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an item
     * @description With the state of its thread, as the scope of the request sees it.
     */
    get: operations["inbox.find"]
    put?: never
    post?: never
    /**
     * Delete an item on its network
     * @description It can't be brought back. The item is gone here, too: `inbox.item_deleted`; a second request is 404. One that the network no longer has is deleted here. Threads and X delete only what the account wrote.
     *
     *     What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to 20 seconds: the effect is one, however often it is done.
     *
     *     | | |
     *     |---|---|
     *     | 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again |
     *     | 422 `PLATFORM_ERROR` | the network refused it |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |
     *     | 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |
     */
    delete: operations["moderation.remove"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/read": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark an item read
     * @description 204 also where it was read already. A body is ignored.
     */
    post: operations["inbox.markRead"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/thread-state": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Move an item's thread
     * @description Any state may follow any; all items of the thread show it.
     */
    post: operations["inbox.setThreadState"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/sync": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Poll the networks now, or read a bounded past of X
     * @description Every account of the scope is polled, or told why not; two syncs of one account at a time are one. It answers within 25 seconds, and goes on by itself with what is left. A backfill that may read more posts than the host allows unasked reads nothing and answers with a token that confirms it, once and for ten minutes. A token of another scope is 400, one that has expired or was given for another input 409.
     */
    post: operations["sync.start"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/sync/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a sync as it is now
     * @description While it is `in_progress` it tells of the accounts that are done so far.
     */
    get: operations["sync.find"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/reply": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reply to an item
     * @description Accepted durably before anything is sent, and sent at most once, whatever becomes of the connection. It waits up to 20 seconds. The same key, text and file give the same reply again; after 429, 502 or `X_RECONNECT_REQUIRED` they send it now.
     *
     *     | | |
     *     |---|---|
     *     | 200 | sent; the item that it made |
     *     | 202 `X_REMOTE_ACCEPTED_RECONCILING` | the network has it; the item will follow by itself |
     *     | 409 `X_WRITE_OUTCOME_PENDING` | not known yet, or being sent: read the operation, or ask again with the key |
     *     | 409 `X_WRITE_NEEDS_RECONCILIATION` | it never became known: a person must look at the network |
     *     | 409 `IDEMPOTENCY_KEY_CONFLICT` | the key came before with another reply |
     *     | 409 `ACTION_NOT_AVAILABLE` | `tag` or `media_ids` where that is not possible: `not_supported`, or `missing_scopes` |
     *     | 409 `PUBLIC_URL_REQUIRED` | a file, which the network can't load from this machine's own address |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again, whatever its network; nothing was sent |
     *     | 422 `PLATFORM_ERROR` | the network refused it, or its window for answers is closed; nothing was posted |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate; nothing was sent |
     *     | 502 `PLATFORM_ERROR` | the network could not be reached; nothing was sent |
     */
    post: operations["outbound.reply"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/private-reply": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Answer a comment by a direct message
     * @description For ig_comment and fb_comment, within 7 days, once a comment, where the item's `capabilities` have `private_reply`. Everything is as with a reply; the item that it makes lies in the conversation with who wrote the comment. What is not possible is 409 `ACTION_NOT_AVAILABLE` with a `reason`: `not_supported`, `own_item`, `window_closed`, `missing_scopes`, or `already_replied`, also while the first is on its way.
     *
     *     After an answer of the network that was lost, it is sent again: the network takes one message for a comment, and says so if it has it. If only that is known, the answer is 202 and the item follows by itself.
     */
    post: operations["outbound.privateReply"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/media-context": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the post that an item belongs to
     * @description Kept for an hour; an older answer serves while the network is down. 404 for direct messages, for a post that is the root itself, and, with the reason `parent_gone`, for one that is gone.
     */
    get: operations["outbound.findMediaContext"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/outbound-operations/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read what became of a reply
     * @description Of every source, by the `X-Operation-Id` of its answer. `inbox.reply_updated` tells of each change. It has ended when it is `completed`, `rejected` or `needs_reconciliation`.
     */
    get: operations["outbound.findOperation"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/x-outbound-operations/{requestID}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read what became of a reply, by its older name
     * @description The same as `/v1/inbox/outbound-operations/{id}`, for every source.
     */
    get: operations["outbound.findXOperation"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/batch": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Do the same with up to 100 items
     * @description Each id has its result, in the order in which they were given. Answered within 25 seconds; what was not done until then is `refused`, `NOT_ATTEMPTED`, and may be asked for again.
     */
    post: operations["moderation.batch"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/hide": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Hide an item on its network
     * @description It stays listed here. Whom a network hides it from differs: on Facebook its author and their friends still see it, on Instagram its author does; X puts it behind “hidden replies”, Threads folds it away.
     *
     *     What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to 20 seconds: the effect is one, however often it is done.
     *
     *     | | |
     *     |---|---|
     *     | 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again |
     *     | 422 `PLATFORM_ERROR` | the network refused it |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |
     *     | 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |
     */
    post: operations["moderation.hide"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/unhide": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Show a hidden item again
     * @description The reverse of hiding it.
     *
     *     What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to 20 seconds: the effect is one, however often it is done.
     *
     *     | | |
     *     |---|---|
     *     | 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again |
     *     | 422 `PLATFORM_ERROR` | the network refused it |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |
     *     | 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |
     */
    post: operations["moderation.unhide"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/like": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Like an item in the account's name
     * @description Facebook, Instagram accounts that Facebook's login connected, and X where the app's contract has it.
     *
     *     What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to 20 seconds: the effect is one, however often it is done.
     *
     *     | | |
     *     |---|---|
     *     | 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again |
     *     | 422 `PLATFORM_ERROR` | the network refused it |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |
     *     | 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |
     */
    post: operations["moderation.like"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/unlike": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Take a like back
     * @description The reverse of liking it.
     *
     *     What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to 20 seconds: the effect is one, however often it is done.
     *
     *     | | |
     *     |---|---|
     *     | 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |
     *     | 409 `X_RECONNECT_REQUIRED` | the account must be connected again |
     *     | 422 `PLATFORM_ERROR` | the network refused it |
     *     | 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |
     *     | 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |
     */
    post: operations["moderation.unlike"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/{id}/unread": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark an item unread
     * @description 204 also where it is so already, and for an item that the account wrote, which stays read.
     */
    post: operations["moderation.markUnread"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/saved-replies": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List saved replies, newest first
     * @description A managed user's scope has only what was made in it; the workspace's has all of them.
     */
    get: operations["savedReplies.list"]
    put?: never
    /**
     * Save a text to answer with
     * @description It belongs to the scope in which it was made, and is erased with its managed user. Nothing is sent: give its text to `POST /v1/inbox/{id}/reply`.
     */
    post: operations["savedReplies.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/saved-replies/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a saved reply
     * @description A second request is 404.
     */
    delete: operations["savedReplies.remove"]
    options?: never
    head?: never
    /**
     * Change a saved reply
     * @description What is left out stays. What was sent with it before stays as it was.
     */
    patch: operations["savedReplies.update"]
    trace?: never
  }
  "/v1/inbox/threads": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List threads by their last item, newest first
     * @description 25 unless `limit` says otherwise. A thread that does not change during a walk is seen once; one that moves to the top meanwhile twice or not at all. A short page is not the end; only `next_cursor: null` is.
     */
    get: operations["threads.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a thread
     * @description 404 while it has no item, or its account is disconnected.
     */
    get: operations["threads.find"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/items": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List a thread's items
     * @description In either order. A cursor holds its thread and its order; `limit` may change.
     */
    get: operations["threads.items"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/read": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark a thread's items read
     * @description It answers how many were not, and each of them is told by `inbox.item_updated`.
     */
    post: operations["threads.markRead"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/state": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Move a thread, or snooze it
     * @description Any state may follow any; all items of the thread show it. A snoozed thread is in no list by status until its time has come or somebody writes, and `inbox.thread_updated` tells so.
     */
    post: operations["threads.setState"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/labels": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Give a thread its labels
     * @description In place of those that it has; none take all away. `inbox.thread_updated` tells what changes.
     */
    put: operations["threads.setLabels"]
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/labels": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List labels
     * @description Of the scope's threads, the most used by open ones first; 1,000 at most, on one page. A label that no thread has is none.
     */
    get: operations["labels.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/notes": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List a thread's notes, oldest first
     * @description What people who work on it told each other. A cursor holds its thread.
     */
    get: operations["notes.list"]
    put?: never
    /**
     * Note something on a thread
     * @description It is never sent to a network, and is erased with its account. `inbox.note_added` tells it.
     */
    post: operations["notes.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/inbox/threads/{id}/notes/{note_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a note
     * @description `inbox.note_deleted` tells it. A second request is 404.
     */
    delete: operations["notes.remove"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/connect/sessions": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let a person connect an account
     * @description Send the person's browser to `url`, within 30 minutes. It goes to the network, and then to `return_url` or to a page of Loopbox. A person who refused, or who met an error, may open the same `url` again. With `social_account_id` an account is connected again, and no other is taken in its place.
     */
    post: operations["connect.createSession"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/connect/sessions/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read what became of a session
     * @description Its status goes from `pending` by `choosing`, where a person chooses among several accounts, to `completed`, `denied`, `failed` or `expired`. A denied or failed one may still be completed until it expires.
     */
    get: operations["connect.findSession"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/accounts": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List connected accounts, newest first, with their health
     * @description Accounts that were disconnected within 7 days are listed, too, as `disconnected`.
     */
    get: operations["connectedAccounts.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/accounts/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an account with its health
     * @description What is wrong with it, what a person can do about it, and when a machine tries again.
     */
    get: operations["connectedAccounts.find"]
    put?: never
    post?: never
    /**
     * Disconnect an account
     * @description Its webhooks are unsubscribed and its token is revoked, as far as the network can. Its items are hidden, and erased after 7 days; connected again before that it has the same id and its items. 204 also the second time.
     */
    delete: operations["connectedAccounts.disconnect"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/accounts/{id}/check": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask the network now how an account is
     * @description Who it is, what its token may do, and whether its webhooks are subscribed, which is mended. A dead token is no error but an answer: the account is `reauth_required`. A body is ignored.
     */
    post: operations["connectedAccounts.check"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/accounts/{id}/reconnect": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let a person connect an account again
     * @description The same as a connect session with its `social_account_id`. The body may be left out.
     */
    post: operations["connectedAccounts.reconnect"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List posts, newest first
     * @description All, those of one status, or those with a target on one account.
     */
    get: operations["posts.list"]
    put?: never
    /**
     * Publish a post
     * @description Accepted durably before anything is sent; each target then goes out once, whatever becomes of the others. 202 when it goes out now, 201 for a draft and for one with a time. Everything is judged first: what a network would not take is a 400 with all issues, and nothing is stored. A draft is judged when it is published. The same key and input give the same post again. A GIF to Instagram or Threads has to be converted before; nothing is converted by itself.
     */
    post: operations["posts.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts/validate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Judge a post without storing it
     * @description As if it were to go out: what keeps it from that, and what its author should know.
     */
    post: operations["posts.validate"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a post with its targets
     * @description `post.target_updated` tells of each change, and `post.published`, `.partial` or `.failed` of its end.
     */
    get: operations["posts.find"]
    put?: never
    post?: never
    /**
     * Delete a draft or an ended post
     * @description Here only: what was published stays on its networks.
     */
    delete: operations["posts.remove"]
    options?: never
    head?: never
    /**
     * Change a draft, or the time of a scheduled post
     * @description What is absent stays as it is, and null clears.
     */
    patch: operations["posts.edit"]
    trace?: never
  }
  "/v1/posts/{id}/publish": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish a draft
     * @description 202 when it goes out now, 201 when at its time. It is judged now. A body is ignored.
     */
    post: operations["posts.publish"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts/{id}/cancel": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a post
     * @description A draft, a scheduled one, or those targets of one under way that have not begun. A body is ignored. Again: 200.
     */
    post: operations["posts.cancel"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts/{id}/targets/{targetID}/retry": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish a failed target again
     * @description Only one of which nothing was published, and whose error is `retryable`. A body is ignored.
     */
    post: operations["posts.retryTarget"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/posts/{id}/targets/{targetID}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a published target on its network
     * @description Where the network has a call for it; deleting it again does nothing.
     */
    delete: operations["posts.removeTarget"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/gif-conversions": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List conversions, newest first
     * @description All of the workspace, or those of one `status`.
     */
    get: operations["conversions.list"]
    put?: never
    /**
     * Convert a GIF
     * @description Queues one conversion and answers at once; poll the job. The same key and input give the same job again, at no cost. Neither a draft nor a post is touched.
     */
    post: operations["conversions.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/gif-conversions/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a conversion
     * @description Poll it every 2 to 10 seconds, for up to 15 minutes; what waits in the queue is not part of the five minutes that a conversion may take.
     */
    get: operations["conversions.find"]
    put?: never
    post?: never
    /**
     * Cancel a queued or processing conversion
     * @description It answers the job, which has ended by then with the code `canceled`. The unit of the daily limit stays consumed.
     */
    delete: operations["conversions.cancel"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/audio-overlays": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List audio overlays, newest first
     * @description All of the workspace, or those of one `status`.
     */
    get: operations["overlays.list"]
    put?: never
    /**
     * Lay a sound over a video
     * @description Queues one overlay and answers at once; poll the job. The video keeps its length and its picture; the sound becomes AAC, as long as the picture. It counts as an active media job beside conversions, and not for the conversions of 24 hours. The same key and input give the same job again.
     */
    post: operations["overlays.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/audio-overlays/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an audio overlay
     * @description Poll it every 2 to 10 seconds, for up to 15 minutes; what waits in the queue is not part of the five minutes that an overlay may take.
     */
    get: operations["overlays.find"]
    put?: never
    post?: never
    /**
     * Cancel a queued or processing overlay
     * @description It answers the job, which has ended by then with the code `canceled`.
     */
    delete: operations["overlays.cancel"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List media, newest first
     * @description Uploads, and the videos that conversions made, until their time is over.
     */
    get: operations["media.list"]
    put?: never
    /**
     * Upload a file, or reserve an upload
     * @description The bytes themselves with their Content-Type, a form with one `file`, or JSON that reserves an upload. The bytes decide the type. At most 4 GiB.
     */
    post: operations["media.upload"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a media record
     * @description Each answer carries a new `download_url` that is good for an hour, or the `upload_url` of a pending one.
     */
    get: operations["media.find"]
    put?: never
    post?: never
    /**
     * Delete a file
     * @description Not while a conversion reads it. A video that was made of it stays.
     */
    delete: operations["media.remove"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/media/{id}/content": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a file
     * @description With an API key, or by `download_url` as it was given. Ranges and conditions as in RFC 9110.
     */
    get: operations["media.content"]
    /**
     * Send the bytes of a reserved upload
     * @description The address is `upload_url` as it was given; the Content-Type is not looked at.
     */
    put: operations["media.finish"]
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhook endpoints, newest first
     * @description Those of the workspace, and those for one managed user's events; without their secrets.
     */
    get: operations["webhookEndpoints.list"]
    put?: never
    /**
     * Create a webhook endpoint
     * @description Events from now on are posted to it, each at least once, signed by Standard Webhooks. 2xx within 15 seconds delivers; anything else is tried again for about two days. The secret is in this answer only.
     */
    post: operations["webhookEndpoints.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a webhook endpoint
     * @description With its status, and when it last answered well and badly; without its secret.
     */
    get: operations["webhookEndpoints.find"]
    put?: never
    post?: never
    /**
     * Delete a webhook endpoint
     * @description With its deliveries. A second request is 404.
     */
    delete: operations["webhookEndpoints.remove"]
    options?: never
    head?: never
    /**
     * Change a webhook endpoint
     * @description What is left out stays. `disabled` cancels what is pending; `enabled` again gets the events from now on, and `replay` those before.
     */
    patch: operations["webhookEndpoints.update"]
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/rotate-secret": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a new secret
     * @description The ones before sign too for 24 hours, so that receivers can change over.
     */
    post: operations["webhookEndpoints.rotateSecret"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/test": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send an example now
     * @description Once, with `data.example: true`, also to a disabled endpoint; the answer waits for what comes of it. It does not change the endpoint's status.
     */
    post: operations["webhookEndpoints.test"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/deliveries": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deliveries, newest first
     * @description They are kept for 30 days.
     */
    get: operations["webhookEndpoints.listDeliveries"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a delivery
     * @description With what is sent, and when each attempt was made and what came of it.
     */
    get: operations["webhookEndpoints.findDelivery"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deliver again
     * @description Its schedule begins anew, whatever came of it; `webhook-id` stays, so that receivers know it.
     */
    post: operations["webhookEndpoints.redeliver"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/webhook-endpoints/{id}/replay": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deliver what happened since a number
     * @description Every event after `after_seq` that is still kept (24 hours) and that the endpoint wants; each keeps its `webhook-id`.
     */
    post: operations["webhookEndpoints.replay"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/usage": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read what the workspace uses, and what it may use
     * @description The plan with the limits in force, active media jobs, conversions of the last 24 hours, items and posts of the last 30 days, and the size of all files. For any API key, or a dashboard user who is admin or owner; there is no scope.
     */
    get: operations["usage.read"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/audit-events": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what was changed, by whom, newest first
     * @description Keys, members, managed users, accounts, the plan, posts and moderation, for 400 days. Each event was written with its change, and nobody can alter it. For a key whose creator is admin or owner, or such a dashboard user. Filters are exact.
     */
    get: operations["audit.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List workspaces, newest first
     * @description Every workspace of this host.
     */
    get: operations["admin.listWorkspaces"]
    put?: never
    /**
     * Make a workspace
     * @description A customer: the unit of tenancy, plans and limits. Only an enterprise workspace has `limits` of its own.
     */
    post: operations["admin.createWorkspace"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a workspace
     * @description With its plan, and the limits of its contract where it has any.
     */
    get: operations["admin.findWorkspace"]
    put?: never
    post?: never
    /**
     * Erase a workspace with all its data
     * @description Accounts, items, media, jobs, keys and members are hidden at once, and removed for good.
     */
    delete: operations["admin.eraseWorkspace"]
    options?: never
    head?: never
    /**
     * Change a workspace
     * @description `limits` merges; null clears one. Only an enterprise workspace has limits of its own.
     */
    patch: operations["admin.updateWorkspace"]
    trace?: never
  }
  "/v1/admin/workspaces/{id}/members": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List members by their user ids
     * @description Each with the role that holds for their next request.
     */
    get: operations["admin.listMembers"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/members/{user_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a member
     * @description With the role that holds for their next request; 404 for a user who is no member.
     */
    get: operations["admin.findMember"]
    /**
     * Add a member (201), or change one's role (200)
     * @description The role holds for the next request: workspace scope needs an admin or an owner.
     */
    put: operations["admin.setMember"]
    post?: never
    /**
     * Remove a member
     * @description Keys that they created no longer count from the next request on.
     */
    delete: operations["admin.removeMember"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/api-keys": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List API keys, newest first
     * @description Without their texts, each with when it was last used.
     */
    get: operations["admin.listKeys"]
    put?: never
    /**
     * Make an API key; its text is shown once
     * @description With a creator who is admin or owner it may ask for workspace scope; without one for managed users only.
     */
    post: operations["admin.issueKey"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/api-keys/{key_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an API key
     * @description Without its text, and with when it was last used; 404 for one that was revoked.
     */
    get: operations["admin.findKey"]
    put?: never
    post?: never
    /**
     * Revoke an API key
     * @description It no longer counts from the next request on, and its sockets are closed.
     */
    delete: operations["admin.revokeKey"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/test/clock": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Move the test clock
     * @description Only in a host with LOOPBOX_TEST_CLOCK; 404 elsewhere.
     */
    post: operations["admin.advanceClock"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/managed-users": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List managed users, newest first
     * @description The users of your product who own social accounts here.
     */
    get: operations["accounts.listManagedUsers"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/managed-users/{external_user_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a managed user
     * @description 404 for one that nobody has made, and that no account has named.
     */
    get: operations["accounts.findManagedUser"]
    /**
     * Make a managed user (201), or find it known (200)
     * @description The id is taken exactly as given. An account that names an owner makes it exist, too.
     */
    put: operations["accounts.putManagedUser"]
    post?: never
    /**
     * Erase a managed user with its accounts and all their data
     * @description Its items, threads and credentials are hidden at once, and removed for good.
     */
    delete: operations["accounts.eraseManagedUser"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/managed-users/{external_user_id}/export": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export everything that is kept of a managed user, as lines of JSON
     * @description Each line is `{"type", "data"}`, with the data as its own endpoint shows it. The types, in this order: `managed_user`, `account`, `thread`, `item`, `note`, `saved_reply`, `operation` (a reply, with its `account_id`, `text` and `media_ids`), `post`, `media` (what posts and replies use; `download_url` is good for 24 hours), `webhook_endpoint`, `audit_event`. The last line is `{"type": "end", "lines": n}`, with how many came before it: a file without it is not whole. It is read as slowly as you read it. Each export is audited as `managed_user.exported`.
     */
    get: operations["accounts.exportManagedUser"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/social-accounts": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List accounts, newest first, disconnected ones included
     * @description With `status`: `connected`, `reauth_required` where its token is no longer good, or `disconnected`.
     */
    get: operations["accounts.list"]
    put?: never
    /**
     * Connect an account
     * @description The network is asked whose the token is, except a simulated one, and unless `check` is false: 422 `ACCOUNT_CHECK_FAILED` with the reason `token_invalid`, `other_account` or `network_unavailable`, and nothing is stored. One that was disconnected within 7 days is revived: same id, items back.
     */
    post: operations["accounts.connect"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/v1/admin/workspaces/{id}/social-accounts/{account_id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an account
     * @description Without its tokens; 404 for one that is disconnected.
     */
    get: operations["accounts.find"]
    put?: never
    post?: never
    /**
     * Disconnect an account; its items are hidden, and erased after 7 days
     * @description Its subscription and its token are taken back at its network as far as that works within a short time; it is neither polled nor answered for any more. Connected again within 7 days it has the same id and its items.
     */
    delete: operations["accounts.disconnect"]
    options?: never
    head?: never
    /**
     * Change or move an account
     * @description Another owner sees its items at once. A new token is tried, unless `check` is false, and makes the account connected again.
     */
    patch: operations["accounts.update"]
    trace?: never
  }
  "/v1/admin/workspaces/{id}/dashboard-tokens": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign a dashboard token for development; only with the local issuer
     * @description For trying the dashboard's side without an identity provider; 404 in a host that has one.
     */
    post: operations["accounts.issueDashboardToken"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    InboxEvent:
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.new_item"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          item: components["schemas"]["InboxItem"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.item_updated"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          item: components["schemas"]["InboxItem"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.item_deleted"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          item_id: string
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.items_read"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          up_to_seq: number
          /** @description Null for a managed user, of the whole workspace. */
          marked: number | null
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.thread_updated"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          thread_key: string
          social_account_id: string
          /** @enum {string} */
          thread_status: "open" | "assigned" | "resolved"
          assigned_to: string | null
          /** @description As it was right after the change; null in what versions before this member wrote. */
          thread: components["schemas"]["InboxThread"] | null
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.note_added"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          note: components["schemas"]["Note"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.note_deleted"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          note_id: string
          thread_id: string
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.reply_updated"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          operation: components["schemas"]["OutboundOperation"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.sync_complete"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          sync_id: string
          new_items: number
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "inbox.account_moved"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description It changed its owner, or was disconnected, connected again or erased: fetch anew. */
          social_account_id: string
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "account.connected"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description Connected, or connected again. */
          account: components["schemas"]["ConnectedAccount"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "account.attention"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description Its status, its health's status or its problems changed. */
          account: components["schemas"]["ConnectedAccount"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "account.disconnected"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          account: components["schemas"]["ConnectedAccount"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "post.published"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description Every target is published. */
          post: components["schemas"]["Post"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "post.partial"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description Some targets are published, and nothing more happens by itself. */
          post: components["schemas"]["Post"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "post.failed"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description No target is published, and nothing more happens by itself. */
          post: components["schemas"]["Post"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "post.target_updated"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description Something of a target changed. */
          post: components["schemas"]["Post"]
        }
      | {
          /** @description Grows within the workspace; give it as `after` to go on from here. */
          seq: number
          /** @enum {string} */
          type: "webhook_endpoint.failing"
          workspace_id: string
          external_user_id: string | null
          /** Format: date-time */
          at: string
          /** @description It began to fail, or was disabled because it answers nothing else. */
          endpoint: components["schemas"]["WebhookEndpoint"]
        }
    InboxHello: {
      /** @enum {string} */
      type: "hello"
      seq: number
      heartbeat_seconds: number
    }
    InboxResyncRequired: {
      /** @enum {string} */
      type: "resync_required"
    }
    PostTarget: {
      id: string
      social_account_id: string
      network: string | null
      /** @enum {string} */
      status:
        | "pending"
        | "preparing"
        | "publishing"
        | "published"
        | "failed"
        | "outcome_unknown"
        | "needs_reconciliation"
        | "canceled"
        | "deleted"
      /** @description Null: that of the post. */
      text: string | null
      /** @description Null: those of the post. */
      media_ids: string[] | null
      first_comment: string | null
      options: {
        [key: string]:
          | string
          | boolean
          | {
              [key: string]: string
            }
      }
      /** @description The network's id of the post; kept when it is deleted there. */
      external_id: string | null
      url: string | null
      attempts: number
      error: {
        /** @enum {string} */
        code:
          | "too_late"
          | "quota_exceeded"
          | "media_fetch_failed"
          | "media_rejected"
          | "container_expired"
          | "processing_timeout"
          | "account_not_found"
          | "reconnect_required"
          | "missing_scopes"
          | "rate_limited"
          | "duplicate_content"
          | "spam_blocked"
          | "network_unavailable"
          | "rejected"
        /** @description For a person. */
        message: string
        /** @description Nothing was published, and publishing it again may work. */
        retryable: boolean
        /** @description The network's own code. */
        network_code: string | null
        /** @description When it is tried again by machine, or may be tried again. */
        retry_at: string | null
      } | null
      published_at: string | null
    }
    ConnectedAccount: {
      id: string
      /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
      network: string
      name: string
      username: string | null
      avatar_url: string | null
      external_user_id: string | null
      /** @enum {string} */
      status: "connected" | "reauth_required" | "disconnected"
      /** @description What was granted, by the network's names. */
      scopes: string[]
      /** @description What was asked for and not granted. */
      missing_scopes: string[]
      token_expires_at: string | null
      /** @description What can be done with it: `inbox`, `reply`, `publish`, `hide` …; take any name. */
      capabilities: string[]
      health: {
        /** @enum {string} */
        status: "ok" | "degraded" | "broken"
        problems: {
          /** @enum {string} */
          code:
            | "reconnect_required"
            | "missing_scopes"
            | "webhook_not_subscribed"
            | "webhook_quiet"
            | "rate_limited"
            | "permission_missing"
            | "network_unavailable"
            | "plan_excludes"
            | "expires_soon"
          /** @description What is wrong, for a person. */
          message: string
          /** @description What a person can do about it. */
          remedy: string
          /** Format: date-time */
          since: string
          /** @description When it is tried again by machine. */
          retry_at: string | null
        }[]
        last_webhook_at: string | null
        last_poll_at: string | null
      }
      /** Format: date-time */
      connected_at: string
    }
    OutboundOperation: {
      id: string
      /** @description What is answered. */
      item_id: string
      /** @description `ig_comment`, `ig_dm`, `fb_comment`, `fb_dm`, `threads_reply` or `x_reply`. A host may have others: take any name. */
      source: string
      /**
       * @description `pending`: nothing was sent, so far; with an `error` a replay of its key sends it. `outcome_unknown`: it may have been posted, and is looked for, never sent again. `remote_succeeded`: the network has it.
       * @enum {string}
       */
      status:
        | "pending"
        | "sending"
        | "outcome_unknown"
        | "remote_succeeded"
        | "completed"
        | "rejected"
        | "needs_reconciliation"
      /** @description Times that a worker began to send it. */
      attempts: number
      /** @description The item that it made. */
      response_item_id: string | null
      error: {
        /** @enum {string} */
        code: "PLATFORM_ERROR" | "PLATFORM_RATE_LIMITED" | "X_RECONNECT_REQUIRED" | "EXPIRED"
        message: string
      } | null
      /** @description Until when it will be known what became of it; null until it was tried. */
      reconciliation_deadline: string | null
      /** @description A person must look at the network. */
      reconciliation_required: boolean
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
    }
    Note: {
      id: string
      thread_id: string
      text: string
      author: string | null
      /** Format: date-time */
      created_at: string
    }
    InboxThread: {
      id: string
      thread_key: string
      /** @description `ig_comment`, `ig_dm`, `fb_comment`, `fb_dm`, `threads_reply` or `x_reply`. A host may have others: take any name. */
      source: string
      social_account_id: string
      account: {
        id: string
        /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
        network: string
        name: string
        avatar_url: string | null
      }
      /** @description The managed user that owns the account now. */
      external_user_id: string | null
      /** @enum {string} */
      thread_status: "open" | "assigned" | "resolved"
      /** @description Who works on the thread. */
      assigned_to: string | null
      /** @description Out of sight until then, or until somebody writes. */
      snoozed_until: string | null
      labels: string[]
      /** @description Items that are neither read nor the account's own. */
      unread_count: number
      /** @description Listed items, own ones too. */
      item_count: number
      last_item: components["schemas"]["InboxItem"]
      /** Format: date-time */
      last_item_at: string
      /** @description When somebody else wrote last. */
      last_inbound_at: string | null
      /** @description Until when a direct message may be answered, or since when not; null where nothing ends. `human_agent`: only by a person, with `"tag": "human_agent"`. */
      reply_window: {
        /** @enum {string} */
        mode: "standard" | "human_agent" | "closed"
        /** Format: date-time */
        closes_at: string
      } | null
      /** @description The 5 others who wrote last, as far as their names are known. */
      participants: {
        author_id: string | null
        author_name: string
        author_avatar_url: string | null
      }[]
      /** @description The post that was published here (`POST /v1/posts`) and that it hangs on. */
      post_id: string | null
      /** @description The post at the root; null for direct messages. */
      linked_post_id: string | null
      /**
       * Format: date-time
       * @description When its first item was stored.
       */
      created_at: string
    }
    InboxItem: {
      id: string
      workspace_id: string
      /** @description The managed user that owns the account now. */
      external_user_id: string | null
      /** @description `ig_comment`, `ig_dm`, `fb_comment`, `fb_dm`, `threads_reply` or `x_reply`. A host may have others: take any name. */
      source: string
      social_account_id: string
      account: {
        id: string
        /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
        network: string
        name: string
        avatar_url: string | null
      }
      /** @description The network's id. */
      external_id: string
      /** @description What it answers directly. */
      parent_external_id: string | null
      /** @description The post at the root; null for direct messages. */
      linked_post_id: string | null
      /** @description The thread that it lies in: `GET /v1/inbox/threads/{id}`. */
      thread_id: string
      thread_key: string
      /** @enum {string} */
      thread_status: "open" | "assigned" | "resolved"
      /** @description Who works on the thread. */
      assigned_to: string | null
      author_id: string | null
      /** @description "Unknown" until the network gives one. */
      author_name: string
      author_avatar_url: string | null
      /** @description What a reader sees; empty when there is only an attachment. */
      body: string
      attachments: {
        /** @enum {string} */
        type: "image" | "video" | "audio" | "file" | "share" | "story" | "unsupported"
        url: string | null
      }[]
      /** @description The permalink, as the network gives it. */
      url: string | null
      is_read: boolean
      is_own: boolean
      /** @description Hidden on the network; still listed. */
      is_hidden: boolean
      /** @description The account likes it; false where the network has no likes. */
      is_liked: boolean
      /** @description When it was answered by a direct message, which a network allows once a comment. */
      private_replied_at: string | null
      /** @description What would be tried with it now: by network, kind of account, permissions, plan, own or not, and state. In an event: when that was written. Empty while the account has to be connected again. */
      capabilities: ("reply" | "reply_media" | "hide" | "unhide" | "delete" | "like" | "unlike" | "private_reply")[]
      /** @description Until when a direct message may be answered, or since when not; null where nothing ends. `human_agent`: only by a person, with `"tag": "human_agent"`. */
      reply_window: {
        /** @enum {string} */
        mode: "standard" | "human_agent" | "closed"
        /** Format: date-time */
        closes_at: string
      } | null
      /** @description The post that was published here (`POST /v1/posts`) and that it hangs on. */
      post_id: string | null
      /** Format: date-time */
      received_at: string
      /** Format: date-time */
      created_at: string
      edited_at: string | null
    }
    HealthCheck: {
      name: string
      /** @enum {string} */
      status: "ok" | "degraded" | "failed"
      message: string
    }
    Issue: {
      path: string
      message: string
      /** @description Which limit or rule it is; of posts. */
      code?: string
      /** @description What the post has. */
      actual?: string | number | null
      /** @description What the network takes. */
      limit?: string | number | null
    }
    DashboardToken: {
      token: string
    }
    SocialAccount: {
      id: string
      workspace_id: string
      /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
      network: string
      network_account_id: string
      name: string
      username: string | null
      avatar_url: string | null
      external_user_id: string | null
      /** @enum {string} */
      status: "connected" | "reauth_required" | "disconnected"
      token_expires_at: string | null
      scopes: string[]
      /** Format: date-time */
      created_at: string
    }
    ManagedUser: {
      workspace_id: string
      external_user_id: string
      /** Format: date-time */
      created_at: string
    }
    ApiKey: {
      id: string
      workspace_id: string
      name: string
      creator_user_id: string | null
      /** Format: date-time */
      created_at: string
      expires_at: string | null
      last_used_at: string | null
    }
    IssuedApiKey: {
      id: string
      workspace_id: string
      name: string
      creator_user_id: string | null
      /** Format: date-time */
      created_at: string
      expires_at: string | null
      last_used_at: string | null
      /** @description The key itself: shown once. */
      key: string
    }
    Member: {
      workspace_id: string
      user_id: string
      /** @enum {string} */
      role: "viewer" | "editor" | "admin" | "owner"
    }
    Workspace: {
      id: string
      name: string
      /** @enum {string} */
      plan: "free" | "api" | "basic" | "growth" | "team" | "enterprise"
      limits: {
        active_jobs: number | null
        gif_conversions_per_24h: number | null
      }
      /** Format: date-time */
      created_at: string
    }
    AuditEvent: {
      id: string
      /** Format: date-time */
      at: string
      actor: {
        /** @enum {string} */
        type: "api_key" | "member" | "operator" | "system"
        /** @description The key's or member's id; null of the operator and of Loopbox itself. */
        id: string | null
      }
      /** @enum {string} */
      action:
        | "api_key.created"
        | "api_key.revoked"
        | "member.set"
        | "member.removed"
        | "managed_user.created"
        | "managed_user.exported"
        | "managed_user.erased"
        | "account.connected"
        | "account.updated"
        | "account.moved"
        | "account.disconnected"
        | "workspace.updated"
        | "post.created"
        | "post.updated"
        | "post.published"
        | "post.canceled"
        | "post.target_retried"
        | "post.target_deleted"
        | "post.deleted"
        | "item.hidden"
        | "item.unhidden"
        | "item.deleted"
        | "webhook_endpoint.created"
        | "webhook_endpoint.updated"
        | "webhook_endpoint.deleted"
        | "webhook_endpoint.secret_rotated"
      target: {
        /** @enum {string} */
        type: "api_key" | "member" | "managed_user" | "account" | "workspace" | "post" | "item" | "webhook_endpoint"
        /** @description Of an erased managed user a digest. */
        id: string
      }
      request_id: string | null
      /** @description What it was about, such as the role or the plan; never a text that people wrote, never a token. */
      details: {
        [key: string]: string
      }
    }
    Usage: {
      /** @enum {string} */
      plan: "free" | "api" | "basic" | "growth" | "team" | "enterprise"
      limits: {
        active_jobs: number
        gif_conversions_per_24h: number
      }
      /** @description Queued and processing media jobs of all kinds. */
      active_jobs: number
      /** @description Conversions accepted in the last 24 hours. */
      gif_conversions: {
        used: number
        limit: number
        /** @description When one more is admitted; null while one is admitted now, and if the limit is 0. */
        reset_at: string | null
      }
      /** @description Items that came in the last 30 days, counted from a full hour on; also those deleted since. */
      items_30d: number
      /** @description Posts accepted in the last 30 days that are kept, drafts among them. */
      posts_30d: number
      /** @description Bytes of all files that are not deleted. */
      storage_bytes: number
    }
    WebhookDelivery: {
      id: string
      endpoint_id: string
      event_type: string
      /** @description The event's `seq`; null for an example. */
      event_seq: number | null
      /**
       * @description `failed`: the last try of the schedule failed too. `canceled`: the endpoint was disabled meanwhile, or the account is another user's by now.
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed" | "canceled"
      attempts: number
      next_attempt_at: string | null
      /** Format: date-time */
      created_at: string
    }
    WebhookDeliveryDetail: {
      id: string
      endpoint_id: string
      event_type: string
      /** @description The event's `seq`; null for an example. */
      event_seq: number | null
      /**
       * @description `failed`: the last try of the schedule failed too. `canceled`: the endpoint was disabled meanwhile, or the account is another user's by now.
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed" | "canceled"
      attempts: number
      next_attempt_at: string | null
      /** Format: date-time */
      created_at: string
      request: {
        url: string
        /** @description Without the signature, which each attempt makes anew. */
        headers: {
          [key: string]: string
        }
        body: string
      }
      /** @description Oldest first. */
      attempt_log: {
        /** Format: date-time */
        at: string
        /** @description Of the answer; null if none came. */
        status: number | null
        duration_ms: number
        /** @description The first 4 KiB of the answer; what is not UTF-8 is U+FFFD. */
        response: string | null
        /** @description Why no answer came: `address_refused`, `address_unresolved`, `connection_refused`, `connection_failed`, `tls_failed`, `answer_invalid` or `timeout`. */
        error: string | null
      }[]
    }
    WebhookEndpoint: {
      id: string
      url: string
      /** @description Types and wildcards such as `inbox.*`. Null: all but `media.gif_conversion_ended` and `media.audio_overlay_ended`, which are sent where they are named, and by no wildcard. */
      events: string[] | null
      /** @description Only events of accounts that this managed user owns when they are sent. */
      external_user_id: string | null
      description: string | null
      /**
       * @description `failing`: since the last success a delivery has failed for good, or ten attempts in a row have failed; events are sent all the same.
       * @enum {string}
       */
      status: "enabled" | "disabled" | "failing"
      /** @description Why it is disabled: it answered 410, five days of nothing but failures, or a request. */
      status_reason: ("gone" | "failures" | "requested") | null
      /** @description One delivery at a time, in order of `seq`; the next only after the first is delivered or failed. */
      is_ordered: boolean
      /** Format: date-time */
      created_at: string
      last_success_at: string | null
      last_failure_at: string | null
    }
    CreatedWebhookEndpoint: {
      id: string
      url: string
      /** @description Types and wildcards such as `inbox.*`. Null: all but `media.gif_conversion_ended` and `media.audio_overlay_ended`, which are sent where they are named, and by no wildcard. */
      events: string[] | null
      /** @description Only events of accounts that this managed user owns when they are sent. */
      external_user_id: string | null
      description: string | null
      /**
       * @description `failing`: since the last success a delivery has failed for good, or ten attempts in a row have failed; events are sent all the same.
       * @enum {string}
       */
      status: "enabled" | "disabled" | "failing"
      /** @description Why it is disabled: it answered 410, five days of nothing but failures, or a request. */
      status_reason: ("gone" | "failures" | "requested") | null
      /** @description One delivery at a time, in order of `seq`; the next only after the first is delivered or failed. */
      is_ordered: boolean
      /** Format: date-time */
      created_at: string
      last_success_at: string | null
      last_failure_at: string | null
      /** @description Signs (Standard Webhooks); shown here and never again. */
      secret: string
    }
    Media: {
      id: string
      /** @enum {string} */
      status: "pending" | "ready"
      /** @enum {string} */
      content_type:
        | "image/gif"
        | "image/jpeg"
        | "image/png"
        | "image/webp"
        | "image/heic"
        | "video/mp4"
        | "video/quicktime"
        | "video/webm"
        | "audio/mpeg"
        | "audio/wav"
        | "audio/aac"
        | "audio/mp4"
      size_bytes: number | null
      sha256: string | null
      filename: string | null
      width: number | null
      height: number | null
      duration_ms: number | null
      /** @enum {string} */
      source: "upload" | "gif_conversion" | "audio_overlay"
      /** Format: date-time */
      keep_until: string
      /** Format: date-time */
      created_at: string
      /** @description Only while pending: PUT the bytes here, without Authorization. */
      upload_url?: string
      /** Format: date-time */
      upload_expires_at?: string
      download_url: string | null
    }
    OverlayJob: {
      /** @enum {string} */
      kind: "audio_overlay"
      video_media_id: string
      audio_media_id: string
      /** @enum {string} */
      mode: "mix" | "replace"
      video_volume: number
      audio_volume: number
      audio_start_ms: number
      /** @enum {string} */
      fit: "trim_to_video" | "loop_to_video"
      id: string
      /** @enum {string} */
      status: "queued" | "processing" | "succeeded" | "failed"
      output_media_id: string | null
      progress: number | null
      attempts: number
      /** Format: date-time */
      created_at: string
      started_at: string | null
      completed_at: string | null
      error: {
        /** @enum {string} */
        code: "audio_overlay_failed" | "processing_timeout" | "output_size_exceeded" | "canceled"
        message: string
        retryable: boolean
      } | null
    }
    ConversionJob: {
      /** @enum {string} */
      kind: "gif_to_mp4"
      gif_media_id: string
      background_color: string
      /** @enum {string} */
      output_profile: "universal_mp4_v1"
      id: string
      /** @enum {string} */
      status: "queued" | "processing" | "succeeded" | "failed"
      output_media_id: string | null
      progress: number | null
      attempts: number
      /** Format: date-time */
      created_at: string
      started_at: string | null
      completed_at: string | null
      error: {
        /** @enum {string} */
        code:
          | "gif_dimensions_exceeded"
          | "gif_frame_count_exceeded"
          | "gif_decode_budget_exceeded"
          | "gif_duration_exceeded"
          | "gif_probe_failed"
          | "gif_decode_failed"
          | "processing_timeout"
          | "output_size_exceeded"
          | "gif_conversion_failed"
          | "input_media_unavailable"
          | "output_upload_failed"
          | "canceled"
        message: string
        retryable: boolean
      } | null
    }
    Post: {
      id: string
      /** @enum {string} */
      status: "draft" | "scheduled" | "publishing" | "published" | "partial" | "failed" | "canceled"
      text: string | null
      media_ids: string[]
      scheduled_at: string | null
      /** @description When the first target was published. */
      published_at: string | null
      warnings: {
        path: string
        code: string
        message: string
      }[]
      targets: components["schemas"]["PostTarget"][]
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
    }
    PostJudgement: {
      valid: boolean
      issues: components["schemas"]["Issue"][]
      warnings: {
        path: string
        code: string
        message: string
      }[]
    }
    ConnectSession: {
      id: string
      /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
      network: string
      external_user_id: string | null
      /** @enum {string} */
      status: "pending" | "choosing" | "completed" | "denied" | "failed" | "expired"
      /** @description For the person's browser. Whoever has it may connect an account in this session: show it to nobody else. */
      url: string
      return_url: string | null
      features: ("inbox" | "publish" | "moderate")[]
      social_account_id: string | null
      /** @description What was connected. */
      accounts: components["schemas"]["ConnectedAccount"][]
      /** @description `missing_scopes` is told of a completed session, too. */
      error: {
        /** @enum {string} */
        code:
          | "denied"
          | "code_expired"
          | "provider_error"
          | "no_pages"
          | "page_permission_required"
          | "account_not_eligible"
          | "account_mismatch"
          | "account_of_other_user"
          | "missing_scopes"
        /** @description For a person: what happened, and what to do. */
        message: string
      } | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      expires_at: string
      completed_at: string | null
    }
    Label: {
      /** @description As it was spelled first. */
      label: string
      /** @description Threads that have it and are not resolved; snoozed ones too. */
      open_threads: number
    }
    SavedReply: {
      id: string
      name: string
      text: string
      /** @description The managed user in whose scope it was made; null: it is the workspace's. */
      external_user_id: string | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
    }
    MediaContext: {
      /** @description The network's id. */
      id: string
      caption: string | null
      /** @description Of a video its preview; it may expire. */
      media_url: string | null
      timestamp: string | null
      /** @enum {string} */
      media_type: "image" | "video" | "carousel" | "text" | "unknown"
      permalink: string | null
    }
    InboxSync: {
      id: string
      /**
       * @description `in_progress`: it goes on by itself; ask for it by its id, or wait for `inbox.sync_complete`.
       * @enum {string}
       */
      status: "completed" | "in_progress"
      new_items: number
      accounts_checked: number
      errors: {
        social_account_id: string
        /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
        network: string
        /** @enum {string} */
        step: "token" | "comments" | "messages" | "replies" | "mentions"
        /** @enum {string} */
        code:
          | "RATE_LIMITED"
          | "RECONNECT_REQUIRED"
          | "PERMISSION_MISSING"
          | "SOURCE_UNAVAILABLE"
          | "UPSTREAM_UNAVAILABLE"
          | "UPSTREAM_INVALID"
        /** @description For a person: what to do. */
        message: string
        retry_at: string | null
      }[]
      details: {
        social_account_id: string
        /** @description `instagram`, `facebook`, `threads` or `x`. A host may have others: take any name. */
        network: string
        /** @description What the network sent, as it counts. */
        read: number
        new_items: number
        /** @description Null where it is not polled by itself. */
        next_poll_at: string | null
        /**
         * @description Of a backfill: why it ended.
         * @enum {string}
         */
        stop_reason?:
          | "end_of_data"
          | "max_items"
          | "lookback"
          | "rate_limited"
          | "reconnect_required"
          | "upstream_failed"
      }[]
      /** @description Of a backfill: posts that are new items. */
      accepted?: number
      /** @description Of a backfill: posts that were known. */
      duplicates?: number
      /** @description Of a backfill: posts not for the inbox. */
      suppressed?: number
    }
    BackfillConfirmation: {
      /** @enum {boolean} */
      confirmation_required: true
      /** @description Posts that X may charge for. */
      estimated_reads: number
      /** @description Send the same request with it; once, in the same scope. */
      confirmation_token: string
      /** Format: date-time */
      confirmation_expires_at: string
    }
    Error: {
      code: string
      /** @description For a person: what to do. */
      message: string
      details?: {
        /** @description All faults at once. */
        issues?: components["schemas"]["Issue"][]
        /**
         * Format: date-time
         * @description When one more is admitted.
         */
        reset_at?: string
        /** @description The limit that was reached. */
        limit?: number
        /** @description Which of the code's causes it is. */
        reason?: string
        /** @description The operation of the reply. */
        operation_id?: string
        /** @description The network's own code. */
        network_code?: string | null
        /** @description What the account's credential lacks. */
        missing_scopes?: string[]
        /** @description Names of the settings that the host lacks. */
        settings?: string[]
        /** @description The least plan that has it. */
        required_plan?: string
      }
    }
    /**
     * @description The codes of errors at this version.
     * @enum {string}
     */
    ErrorCode:
      | "ACCOUNT_CHECK_FAILED"
      | "ACCOUNT_DISCONNECTED"
      | "ACTION_NOT_AVAILABLE"
      | "ALREADY_EXISTS"
      | "API_KEY_CREATOR_REQUIRED"
      | "API_KEY_REQUIRED"
      | "ENDPOINT_DISABLED"
      | "IDEMPOTENCY_KEY_CONFLICT"
      | "INBOX_SCOPE_INVALID"
      | "INBOX_SCOPE_LOOKUP_FAILED"
      | "INBOX_SCOPE_REQUIRED"
      | "INSUFFICIENT_ROLE"
      | "INTERNAL_ERROR"
      | "MANAGED_USER_NOT_FOUND"
      | "NETWORK_NOT_CONFIGURED"
      | "NOT_FOUND"
      | "PAYLOAD_TOO_LARGE"
      | "PLAN_FEATURE_NOT_AVAILABLE"
      | "PLATFORM_ERROR"
      | "PLATFORM_RATE_LIMITED"
      | "POST_ALREADY_PUBLISHING"
      | "POST_NOT_EDITABLE"
      | "PRECONDITION_FAILED"
      | "PUBLIC_URL_REQUIRED"
      | "RANGE_NOT_SATISFIABLE"
      | "RATE_LIMITED"
      | "REQUEST_TIMEOUT"
      | "TARGET_NOT_RETRYABLE"
      | "TEMPORARILY_UNAVAILABLE"
      | "UNAUTHORIZED"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "VALIDATION_ERROR"
      | "X_RECONNECT_REQUIRED"
      | "X_REMOTE_ACCEPTED_RECONCILING"
      | "X_WRITE_NEEDS_RECONCILIATION"
      | "X_WRITE_OUTCOME_PENDING"
      | "audio_media_id_required"
      | "audio_stream_required"
      | "gif_conversion_rate_limit_exceeded"
      | "gif_media_required"
      | "gif_size_exceeded"
      | "idempotency_conflict"
      | "input_media_unavailable"
      | "invalid_background_color"
      | "job_already_ended"
      | "media_in_use"
      | "media_not_found"
      | "media_not_ready"
      | "media_processing_capacity_exceeded"
      | "media_processing_unavailable"
      | "media_size_exceeded"
      | "not_found"
      | "upload_already_finished"
      | "upload_expired"
      | "validation_error"
      | "video_media_id_required"
      | "video_stream_required"
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  "inbox.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        cursor?: string
        limit?: number
        source?: string
        is_read?: boolean
        is_own?: boolean
        thread_status?: "open" | "assigned" | "resolved"
        thread_id?: string
        thread_key?: string
        post_id?: string
        q?: string
        social_account_id?: string
        assigned_to?: string
        received_after?: string
        received_before?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "inbox.countUnread": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              count: number
            }
            request_id: string
          }
        }
      }
    }
  }
  "inbox.markAllRead": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              marked: number
            }
            request_id: string
          }
        }
      }
    }
  }
  "inbox.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.remove": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "inbox.markRead": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "inbox.setThreadState": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          thread_status: "open" | "assigned" | "resolved"
          /** @description With `assigned` or `resolved`; absent keeps the name, null and `""` clear it, and so does `open`. Any name but `none`, by which lists are asked for nobody's. */
          assigned_to?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "sync.start": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        "application/json": {
          /** @description Reads the past of X accounts, within bounds: X charges for each post. */
          x_backfill?: {
            /** @description One X account; absent for all of the scope. */
            social_account_id?: string | null
            /** @description 1–7; 7 unless said otherwise. */
            lookback_days?: number | null
            /** @description Of each account: 1–500; 20 unless said otherwise. */
            max_items?: number | null
            confirmation_token?: string | null
          } | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxSync"] | components["schemas"]["BackfillConfirmation"]
            request_id: string
          }
        }
      }
    }
  }
  "sync.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxSync"]
            request_id: string
          }
        }
      }
    }
  }
  "outbound.reply": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
        "Idempotency-Key"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description May be absent with `media_ids`. Sent trimmed; 1 to the source's limit: ig_comment 2,200, fb_comment 8,000, fb_dm 2,000, threads_reply 500 (an emoji counts its bytes in UTF-8), x_reply 280 as X weighs them, ig_dm 1,000 bytes. */
          text?: string | null
          /** @description One file that it carries, where the item's `capabilities` have `reply_media`. A direct message is a text or a file: ig_dm takes a JPEG, PNG or GIF of 8 MB, fb_dm of 25 MB, both video (MP4, QuickTime, WebM) and audio (M4A, AAC, WAV; fb_dm MP3) of 25 MB. An fb_comment takes a JPEG, PNG or GIF of 10 MB, also beside a text. */
          media_ids?: string[] | null
          /** @description A person answers a direct message: allowed until 7 days after the last message of the other person, where the account's scopes have `human_agent`, a permission that Meta gives to the app. Never added by itself; within 24 hours it changes nothing. */
          tag?: "human_agent" | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "outbound.privateReply": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
        "Idempotency-Key"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          text: string
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "outbound.findMediaContext": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["MediaContext"]
            request_id: string
          }
        }
      }
    }
  }
  "outbound.findOperation": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OutboundOperation"]
            request_id: string
          }
        }
      }
    }
  }
  "outbound.findXOperation": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        requestID: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OutboundOperation"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.batch": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          ids: string[]
          /** @enum {string} */
          action: "read" | "unread" | "hide" | "unhide"
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              results: {
                id: string
                /** @enum {string} */
                status: "done" | "not_found" | "refused"
                /** @description Null when it is done. What was not possible: `details.reason` of `ACTION_NOT_AVAILABLE`, the code of the error, or `NOT_ATTEMPTED` when the 25 seconds of the request were over. */
                code: string | null
              }[]
            }
            request_id: string
          }
        }
      }
    }
  }
  "moderation.hide": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.unhide": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.like": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.unlike": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"]
            request_id: string
          }
        }
      }
    }
  }
  "moderation.markUnread": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "savedReplies.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SavedReply"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "savedReplies.create": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
          text: string
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SavedReply"]
            request_id: string
          }
        }
      }
    }
  }
  "savedReplies.remove": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "savedReplies.update": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name?: string
          text?: string
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SavedReply"]
            request_id: string
          }
        }
      }
    }
  }
  "threads.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        cursor?: string
        limit?: number
        source?: string
        thread_status?: "open" | "assigned" | "resolved" | "snoozed"
        assigned_to?: string
        social_account_id?: string
        is_unread?: boolean
        q?: string
        label?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxThread"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "threads.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxThread"]
            request_id: string
          }
        }
      }
    }
  }
  "threads.items": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        cursor?: string
        limit?: number
        order?: "newest" | "oldest"
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "threads.markRead": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              marked: number
            }
            request_id: string
          }
        }
      }
    }
  }
  "threads.setState": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          thread_status: "open" | "assigned" | "resolved"
          /** @description With `assigned` or `resolved`; absent keeps the name, null and `""` clear it, and so does `open`. Any name but `none`, by which lists are asked for nobody's. */
          assigned_to?: string | null
          /** @description 1 minute to 90 days ahead, with `open` or `assigned`; absent keeps it, null ends it, and so does `resolved`. */
          snoozed_until?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxThread"]
            request_id: string
          }
        }
      }
    }
  }
  "threads.setLabels": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description At most 20, which are kept as given; of those that differ in case only, the first. */
          labels: string[]
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["InboxThread"]
            request_id: string
          }
        }
      }
    }
  }
  "labels.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Label"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "notes.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Note"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "notes.create": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          text: string
          /** @description Who wrote it; with a dashboard token its user, unless said otherwise. */
          author?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Note"]
            request_id: string
          }
        }
      }
    }
  }
  "notes.remove": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
        note_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "connect.createSession": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          network: string
          /** @description The managed user who will own the account, and who exists from then on. */
          external_user_id?: string | null
          return_url?: string | null
          features?: ("inbox" | "publish" | "moderate")[] | null
          /** @description The account to connect again. */
          social_account_id?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectSession"]
            request_id: string
          }
        }
      }
    }
  }
  "connect.findSession": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectSession"]
            request_id: string
          }
        }
      }
    }
  }
  "connectedAccounts.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
        network?: string
        status?: "connected" | "reauth_required" | "disconnected"
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectedAccount"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "connectedAccounts.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectedAccount"]
            request_id: string
          }
        }
      }
    }
  }
  "connectedAccounts.disconnect": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "connectedAccounts.check": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectedAccount"]
            request_id: string
          }
        }
      }
    }
  }
  "connectedAccounts.reconnect": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        "application/json": {
          return_url?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConnectSession"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
        status?: "draft" | "scheduled" | "publishing" | "published" | "partial" | "failed" | "canceled"
        social_account_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "posts.create": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
        "Idempotency-Key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          text?: string | null
          media_ids?: string[] | null
          /** @description 1 to 50, each account once. */
          targets?:
            | {
                social_account_id: string
                /** @description Null: that of the post; an empty one is no text. */
                text?: string | null
                /** @description Null: those of the post; an empty list is no file. */
                media_ids?: string[] | null
                /** @description Written under the post by the same account, once. The warning `first_comment_failed` says that it is not there, `first_comment_unknown` that half an hour of looking did not show whether it is. */
                first_comment?: string | null
                /** @description Instagram `kind` (`feed`, `reel`, `story`), `share_to_feed`; Facebook `kind` (`feed`, `reel`), `link`, `title`; Threads `reply_control`, `topic_tag`; X `reply_settings`; all `alt_texts`, by media id. */
                options?: {
                  [key: string]:
                    | string
                    | boolean
                    | {
                        [key: string]: string | null
                      }
                    | null
                } | null
              }[]
            | null
          /**
           * Format: date-time
           * @description 60 seconds to 90 days ahead; absent: now.
           */
          scheduled_at?: string | null
          status?: "draft" | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.validate": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          text?: string | null
          media_ids?: string[] | null
          /** @description 1 to 50, each account once. */
          targets?:
            | {
                social_account_id: string
                /** @description Null: that of the post; an empty one is no text. */
                text?: string | null
                /** @description Null: those of the post; an empty list is no file. */
                media_ids?: string[] | null
                /** @description Written under the post by the same account, once. The warning `first_comment_failed` says that it is not there, `first_comment_unknown` that half an hour of looking did not show whether it is. */
                first_comment?: string | null
                /** @description Instagram `kind` (`feed`, `reel`, `story`), `share_to_feed`; Facebook `kind` (`feed`, `reel`), `link`, `title`; Threads `reply_control`, `topic_tag`; X `reply_settings`; all `alt_texts`, by media id. */
                options?: {
                  [key: string]:
                    | string
                    | boolean
                    | {
                        [key: string]: string | null
                      }
                    | null
                } | null
              }[]
            | null
          /**
           * Format: date-time
           * @description 60 seconds to 90 days ahead; absent: now.
           */
          scheduled_at?: string | null
          status?: "draft" | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["PostJudgement"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.remove": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "posts.edit": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          text?: string | null
          media_ids?: string[] | null
          /** @description 1 to 50, each account once. */
          targets?:
            | {
                social_account_id: string
                /** @description Null: that of the post; an empty one is no text. */
                text?: string | null
                /** @description Null: those of the post; an empty list is no file. */
                media_ids?: string[] | null
                /** @description Written under the post by the same account, once. The warning `first_comment_failed` says that it is not there, `first_comment_unknown` that half an hour of looking did not show whether it is. */
                first_comment?: string | null
                /** @description Instagram `kind` (`feed`, `reel`, `story`), `share_to_feed`; Facebook `kind` (`feed`, `reel`), `link`, `title`; Threads `reply_control`, `topic_tag`; X `reply_settings`; all `alt_texts`, by media id. */
                options?: {
                  [key: string]:
                    | string
                    | boolean
                    | {
                        [key: string]: string | null
                      }
                    | null
                } | null
              }[]
            | null
          /**
           * Format: date-time
           * @description 60 seconds to 90 days ahead; absent: now.
           */
          scheduled_at?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.publish": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.cancel": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Post"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.retryTarget": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
        targetID: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["PostTarget"]
            request_id: string
          }
        }
      }
    }
  }
  "posts.removeTarget": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
        targetID: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["PostTarget"]
            request_id: string
          }
        }
      }
    }
  }
  "conversions.list": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        status?: "queued" | "processing" | "succeeded" | "failed"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConversionJob"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "conversions.create": {
    parameters: {
      query?: never
      header?: {
        "Idempotency-Key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description Required. */
          gif_media_id?: string | null
          /** @description `#RRGGBB`, seen through transparent pixels; `#FFFFFF`. */
          background_color?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConversionJob"]
            request_id: string
          }
        }
      }
    }
  }
  "conversions.find": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConversionJob"]
            request_id: string
          }
        }
      }
    }
  }
  "conversions.cancel": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ConversionJob"]
            request_id: string
          }
        }
      }
    }
  }
  "overlays.list": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        status?: "queued" | "processing" | "succeeded" | "failed"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OverlayJob"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "overlays.create": {
    parameters: {
      query?: never
      header?: {
        "Idempotency-Key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description Required. An MP4, QuickTime or WebM of at most 500 MiB and 10 minutes. */
          video_media_id?: string | null
          /** @description Required. A file with sound of at most 100 MiB; it may be a video, whose picture is not used. */
          audio_media_id?: string | null
          /** @description `mix` (default) adds the sound to the video's own, `replace` drops the video's own. */
          mode?: ("mix" | "replace") | null
          /** @description 0 to 100 (default): how loud the video's own sound stays. */
          video_volume?: number | null
          /** @description 0 to 100 (default): how loud the laid sound is. The sum of both is not scaled. */
          audio_volume?: number | null
          /** @description Where in the audio file the sound begins; 0. Below the file's length. */
          audio_start_ms?: number | null
          /** @description Audio that is shorter than the video is followed by silence (`trim_to_video`, default) or begins again at its file's start (`loop_to_video`). Longer audio is cut. */
          fit?: ("trim_to_video" | "loop_to_video") | null
        }
      }
    }
    responses: {
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OverlayJob"]
            request_id: string
          }
        }
      }
    }
  }
  "overlays.find": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OverlayJob"]
            request_id: string
          }
        }
      }
    }
  }
  "overlays.cancel": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["OverlayJob"]
            request_id: string
          }
        }
      }
    }
  }
  "media.list": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Media"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "media.upload": {
    parameters: {
      query?: never
      header?: {
        "X-Filename"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "image/gif": string
        "image/jpeg": string
        "image/png": string
        "image/webp": string
        "image/heic": string
        "video/mp4": string
        "video/quicktime": string
        "video/webm": string
        "audio/mpeg": string
        "audio/wav": string
        "audio/aac": string
        "audio/mp4": string
        "multipart/form-data": {
          /** Format: binary */
          file: string
        }
        "application/json": {
          /** @description One of image/gif, image/jpeg, image/png, image/webp, image/heic, video/mp4, video/quicktime, video/webm, audio/mpeg, audio/wav, audio/aac, audio/mp4. */
          content_type: string
          filename?: string | null
          size_bytes?: number | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Media"]
            request_id: string
          }
        }
      }
    }
  }
  "media.find": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Media"]
            request_id: string
          }
        }
      }
    }
  }
  "media.remove": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              id: string
              /** @enum {boolean} */
              deleted: true
            }
            request_id: string
          }
        }
      }
    }
  }
  "media.content": {
    parameters: {
      query?: {
        expires?: string
        sig?: string
      }
      header?: {
        /** @description One range of bytes; of several the whole file is sent. */
        Range?: string
        /** @description Takes the range only if the file is still this one. */
        "If-Range"?: string
        /** @description 304 if the file is this one. */
        "If-None-Match"?: string
        /** @description 412 unless the file is this one. */
        "If-Match"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "image/gif": string
          "image/jpeg": string
          "image/png": string
          "image/webp": string
          "image/heic": string
          "video/mp4": string
          "video/quicktime": string
          "video/webm": string
          "audio/mpeg": string
          "audio/wav": string
          "audio/aac": string
          "audio/mp4": string
        }
      }
      /** @description The range. */
      206: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "image/gif": string
          "image/jpeg": string
          "image/png": string
          "image/webp": string
          "image/heic": string
          "video/mp4": string
          "video/quicktime": string
          "video/webm": string
          "audio/mpeg": string
          "audio/wav": string
          "audio/aac": string
          "audio/mp4": string
        }
      }
    }
  }
  "media.finish": {
    parameters: {
      query?: {
        expires?: string
        sig?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/octet-stream": string
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Media"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.list": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookEndpoint"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.create": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description https, of at most 2,048 characters, without user and fragment; http and private addresses only where the host allows them (`LOOPBOX_WEBHOOKS_PRIVATE`). */
          url: string
          /** @description Types and wildcards such as `inbox.*`; null or absent: all but `media.gif_conversion_ended` and `media.audio_overlay_ended`, which are sent where they are named, and by no wildcard. */
          events?: string[] | null
          /** @description Only events of accounts that this managed user owns when they are sent. */
          external_user_id?: string | null
          description?: string | null
          /** @description One delivery at a time, in order; false unless said otherwise. */
          is_ordered?: boolean | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["CreatedWebhookEndpoint"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.find": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookEndpoint"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.remove": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "webhookEndpoints.update": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description https, of at most 2,048 characters, without user and fragment; http and private addresses only where the host allows them (`LOOPBOX_WEBHOOKS_PRIVATE`). */
          url?: string
          /** @description Types and wildcards such as `inbox.*`; null or absent: all but `media.gif_conversion_ended` and `media.audio_overlay_ended`, which are sent where they are named, and by no wildcard. */
          events?: string[] | null
          /** @description Only events of accounts that this managed user owns when they are sent. */
          external_user_id?: string | null
          description?: string | null
          /** @description One delivery at a time, in order; false unless said otherwise. */
          is_ordered?: boolean | null
          /** @enum {string} */
          status?: "enabled" | "disabled"
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookEndpoint"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.rotateSecret": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              /** @description Signs (Standard Webhooks); shown here and never again. */
              secret: string
            }
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.test": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description `inbox.new_item` unless said otherwise. */
          type?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDelivery"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.listDeliveries": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
        limit?: number
        cursor?: string
        status?: "pending" | "delivered" | "failed" | "canceled"
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDelivery"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.findDelivery": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
        delivery_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDeliveryDetail"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.redeliver": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
        delivery_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDelivery"]
            request_id: string
          }
        }
      }
    }
  }
  "webhookEndpoints.replay": {
    parameters: {
      query?: {
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description Events after this number; they are kept for 24 hours. */
          after_seq: number
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              queued: number
            }
            request_id: string
          }
        }
      }
    }
  }
  "usage.read": {
    parameters: {
      query?: never
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Usage"]
            request_id: string
          }
        }
      }
    }
  }
  "audit.list": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        actor?: string
        action?:
          | "api_key.created"
          | "api_key.revoked"
          | "member.set"
          | "member.removed"
          | "managed_user.created"
          | "managed_user.exported"
          | "managed_user.erased"
          | "account.connected"
          | "account.updated"
          | "account.moved"
          | "account.disconnected"
          | "workspace.updated"
          | "post.created"
          | "post.updated"
          | "post.published"
          | "post.canceled"
          | "post.target_retried"
          | "post.target_deleted"
          | "post.deleted"
          | "item.hidden"
          | "item.unhidden"
          | "item.deleted"
          | "webhook_endpoint.created"
          | "webhook_endpoint.updated"
          | "webhook_endpoint.deleted"
          | "webhook_endpoint.secret_rotated"
        target?: string
        inbox_scope?: "managed_user" | "workspace"
        external_user_id?: string
      }
      header?: {
        "X-Workspace-Id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["AuditEvent"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "admin.listWorkspaces": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Workspace"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "admin.createWorkspace": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
          /** @enum {string} */
          plan: "free" | "api" | "basic" | "growth" | "team" | "enterprise"
          limits?: {
            active_jobs?: number | null
            gif_conversions_per_24h?: number | null
          } | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Workspace"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.findWorkspace": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Workspace"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.eraseWorkspace": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "admin.updateWorkspace": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name?: string | null
          plan?: ("free" | "api" | "basic" | "growth" | "team" | "enterprise") | null
          limits?: {
            active_jobs?: number | null
            gif_conversions_per_24h?: number | null
          } | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Workspace"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.listMembers": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Member"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "admin.findMember": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Member"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.setMember": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        user_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          role: "viewer" | "editor" | "admin" | "owner"
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Member"]
            request_id: string
          }
        }
      }
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Member"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.removeMember": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "admin.listKeys": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ApiKey"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "admin.issueKey": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
          creator_user_id?: string | null
          expires_at?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["IssuedApiKey"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.findKey": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        key_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ApiKey"]
            request_id: string
          }
        }
      }
    }
  }
  "admin.revokeKey": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        key_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "admin.advanceClock": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          /** @description How far to move the clock forward. */
          advance: string
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: {
              /** Format: date-time */
              now: string
            }
            request_id: string
          }
        }
      }
    }
  }
  "accounts.listManagedUsers": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ManagedUser"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "accounts.findManagedUser": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        external_user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ManagedUser"]
            request_id: string
          }
        }
      }
    }
  }
  "accounts.putManagedUser": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        external_user_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": Record<string, never>
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ManagedUser"]
            request_id: string
          }
        }
      }
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ManagedUser"]
            request_id: string
          }
        }
      }
    }
  }
  "accounts.eraseManagedUser": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        external_user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "accounts.exportManagedUser": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        external_user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/x-ndjson": string
        }
      }
    }
  }
  "accounts.list": {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SocialAccount"][]
            next_cursor: string | null
            request_id: string
          }
        }
      }
    }
  }
  "accounts.connect": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name: string
          /** @description The handle; Threads and X need it. */
          username?: string | null
          avatar_url?: string | null
          /** @description The managed user that owns it, who exists from then on. */
          external_user_id?: string | null
          access_token: string
          refresh_token?: string | null
          token_expires_at?: string | null
          scopes?: string[] | null
          /** @description `false` stores the token without asking the network whose it is. Nor is the network asked later, or are the account's webhooks subscribed, until `POST /v1/accounts/{id}/check` is called or another token is stored. */
          check?: boolean | null
          network: string
          network_account_id: string
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SocialAccount"]
            request_id: string
          }
        }
      }
    }
  }
  "accounts.find": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        account_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SocialAccount"]
            request_id: string
          }
        }
      }
    }
  }
  "accounts.disconnect": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        account_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "accounts.update": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        account_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          name?: string | null
          /** @description The handle; Threads and X need it. */
          username?: string | null
          avatar_url?: string | null
          /** @description Moves it; null takes it from its owner. */
          external_user_id?: string | null
          access_token?: string | null
          refresh_token?: string | null
          token_expires_at?: string | null
          scopes?: string[] | null
          /** @description `false` stores the token without asking the network whose it is. Nor is the network asked later, or are the account's webhooks subscribed, until `POST /v1/accounts/{id}/check` is called or another token is stored. */
          check?: boolean | null
        }
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["SocialAccount"]
            request_id: string
          }
        }
      }
    }
  }
  "accounts.issueDashboardToken": {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": {
          user_id: string
          /** @description 3600 unless said otherwise. */
          ttl_seconds?: number | null
          /** @description Binds it to this managed user: it opens their scope and no other, and `user_id` need be no member. */
          external_user_id?: string | null
        }
      }
    }
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["DashboardToken"]
            request_id: string
          }
        }
      }
    }
  }
}
