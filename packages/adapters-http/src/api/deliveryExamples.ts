/** What networks post to their webhooks, in the form of their own documents: a comment, a reply, a mention. */
export const deliveryExamples = {
  meta: {
    object: "instagram",
    entry: [
      {
        id: "17841405309211844",
        time: 1771326400,
        changes: [
          {
            field: "comments",
            value: {
              from: { id: "1254459154682919", username: "reader_one" },
              media: { id: "17920112008063024", media_product_type: "FEED" },
              id: "17846319838228190",
              text: "Is the blue one back?"
            }
          }
        ]
      }
    ]
  },
  threads: {
    app_id: "123456",
    topic: "moderate",
    target_id: "17980000000000001",
    time: 1754303599,
    subscription_id: "234567",
    values: {
      field: "replies",
      value: {
        id: "17980000000000101",
        username: "reader_one",
        text: "Is the blue one back?",
        media_type: "TEXT_POST",
        permalink: "https://www.threads.com/@reader_one/post/Pp",
        replied_to: { id: "17980000000000001" },
        root_post: { id: "17980000000000001", owner_id: "12345678901234567", username: "our_account" },
        timestamp: "2025-08-04T10:33:16+0000"
      }
    }
  },
  x: {
    data: {
      event_uuid: "2080765813578191303",
      filter: { user_id: "1111111111111111111" },
      event_type: "post.mention.create",
      tag: "mentions",
      payload: {
        id: "2080765813578191303",
        author_id: "2222222222222222222",
        conversation_id: "2080765813578191303",
        text: "@our_account Is the blue one back?",
        created_at: "2026-07-24T21:23:23.000Z"
      }
    }
  }
} as const

/** How Meta signs: the signature and what it signs, both in base64url. */
export const signedRequestExample =
  "5h3VQ1aDk0mQy0n1oB8S1m5uT6p9Xr2Zc4Vb7Nn8Mm0.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsInVzZXJfaWQiOiIyMTgifQ"

/** An export of a managed user without accounts. */
export const exportExample = [
  {
    type: "managed_user",
    data: {
      workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
      external_user_id: "customer_1",
      created_at: "2026-11-21T07:00:00.000Z"
    }
  },
  { type: "end", lines: 1 }
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("")
