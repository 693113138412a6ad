import { capabilitiesOf } from "@loopbox/core/networks/capabilitiesOf"
import { assert, describe, it } from "@effect/vitest"
import { knownNetworks } from "@loopbox/adapters-social/socialNetworks"
import { Option } from "effect"
import type { Feature } from "@loopbox/core/networks/Feature"
import type { Network } from "../src/names.ts"

const may = (network: Network, permissions: ReadonlyArray<string>, features: ReadonlyArray<Feature> = []) =>
  Option.match(knownNetworks.describe(network), {
    onNone: () => [],
    onSome: (descriptor) => capabilitiesOf(descriptor, { features, permissions })
  })

describe("what an account's permissions allow", () => {
  it("is everything the network knows where nothing is told of them", () => {
    assert.deepStrictEqual(may("threads", []), ["inbox", "reply", "publish", "hide", "delete"])
    assert.deepStrictEqual(may("x", ["a_name_of_another_network"]), may("x", []))
  })

  it("is nothing of the inbox on an account that was not connected for it, whatever its permissions", () => {
    assert.deepStrictEqual(may("facebook", [], ["publish"]), ["publish"])
    assert.deepStrictEqual(may("x", ["tweet.read", "tweet.write", "users.read"], ["publish"]), ["publish"])
    assert.deepStrictEqual(may("threads", [], ["publish", "moderate"]), ["publish", "hide", "delete"])
    assert.deepStrictEqual(may("facebook", [], ["inbox", "publish", "moderate"]), may("facebook", []))
  })

  it("is told by the names of either login of Instagram", () => {
    const business = ["instagram_business_basic", "instagram_business_manage_comments"]
    assert.deepStrictEqual(may("instagram", business), ["inbox", "reply", "hide", "delete"])
    assert.deepStrictEqual(may("instagram", ["instagram_basic", "instagram_manage_messages"]), ["inbox", "reply"])
    assert.deepStrictEqual(may("instagram", ["instagram_basic", "instagram_content_publish"]), ["publish"])
  })

  it("has no likes on Instagram without Facebook's login", () => {
    assert.notInclude(may("instagram", ["instagram_business_basic", "instagram_business_manage_comments"]), "like")
    assert.include(may("instagram", ["instagram_basic", "instagram_manage_engagement"]), "like")
  })

  it("is all of a Page where everything was granted, and less for each that was not", () => {
    const granted = [
      "pages_read_engagement",
      "pages_read_user_content",
      "pages_manage_posts",
      "pages_manage_engagement",
      "pages_messaging"
    ]
    assert.deepStrictEqual(may("facebook", granted), may("facebook", []))
    const without = (name: string) =>
      may(
        "facebook",
        granted.filter((one) => one !== name)
      )
    assert.notInclude(without("pages_read_engagement"), "inbox")
    assert.notInclude(without("pages_manage_posts"), "publish")
    assert.deepStrictEqual(without("pages_manage_engagement"), ["inbox", "reply", "publish", "private_reply"])
    // Messages are an inbox, too.
    assert.include(without("pages_read_user_content"), "inbox")
  })

  it("needs both permissions of a reply on Threads", () => {
    const read = ["threads_basic", "threads_read_replies"]
    assert.deepStrictEqual(may("threads", read), ["inbox"])
    assert.deepStrictEqual(may("threads", [...read, "threads_manage_replies"]), ["inbox", "hide"])
    assert.deepStrictEqual(may("threads", [...read, "threads_manage_replies", "threads_content_publish"]), [
      "inbox",
      "reply",
      "publish",
      "hide"
    ])
  })

  it("is what the scopes of X name", () => {
    assert.deepStrictEqual(may("x", ["tweet.read", "users.read"]), ["inbox"])
    assert.deepStrictEqual(may("x", ["tweet.read", "users.read", "tweet.write", "offline.access"]), [
      "inbox",
      "reply",
      "publish",
      "delete"
    ])
  })
})
