import type { Network } from "../../names.ts"

/** What our app may ask for; a dialog that asks for anything else is an error page. */
export const knownScopes: Record<Network, ReadonlySet<string>> = {
  instagram: new Set([
    "instagram_business_basic",
    "instagram_business_content_publish",
    "instagram_business_manage_comments",
    "instagram_business_manage_messages",
    "instagram_business_manage_insights"
  ]),
  facebook: new Set([
    "public_profile",
    "email",
    "business_management",
    "ads_management",
    "ads_read",
    "read_insights",
    "pages_show_list",
    "pages_manage_metadata",
    "pages_read_engagement",
    "pages_read_user_content",
    "pages_manage_posts",
    "pages_manage_engagement",
    "pages_messaging",
    "instagram_basic",
    "instagram_content_publish",
    "instagram_manage_comments",
    "instagram_manage_contents",
    "instagram_manage_engagement",
    "instagram_manage_insights",
    "instagram_manage_messages"
  ]),
  threads: new Set([
    "threads_basic",
    "threads_content_publish",
    "threads_read_replies",
    "threads_manage_replies",
    "threads_delete",
    "threads_manage_mentions",
    "threads_manage_insights",
    "threads_keyword_search",
    "threads_location_tagging",
    "threads_profile_discovery"
  ]),
  x: new Set([
    ...["tweet.read", "tweet.write", "tweet.moderate.write", "users.read", "users.email", "media.write"],
    ...["like.read", "like.write", "dm.read", "dm.write", "follows.read", "follows.write", "space.read"],
    ...["bookmark.read", "bookmark.write", "list.read", "list.write", "mute.read", "mute.write"],
    ...["block.read", "block.write", "offline.access"]
  ])
}

/** What can't be unticked; a dialog of Instagram or Threads that doesn't ask for it is an error page. */
export const basicScopes: Record<Network, string> = {
  instagram: "instagram_business_basic",
  facebook: "public_profile",
  threads: "threads_basic",
  x: ""
}
