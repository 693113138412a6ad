/** What is asked of posts that may become items: no more, for users and media are billed. */
export const postQuery = {
  "tweet.fields":
    "author_id,conversation_id,created_at,in_reply_to_user_id,referenced_tweets,entities,edit_history_tweet_ids,reply_settings,note_tweet,attachments",
  expansions: "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys",
  "user.fields": "name,username,profile_image_url",
  "media.fields": "type,url,preview_image_url,alt_text"
} as const
