import "@loopbox/elements"
import { createApp, h, ref } from "vue"

const baseUrl = "http://127.0.0.1:8080"
const getToken = async () => (await fetch("/my/loopbox-token")).text()

// In a template: <loopbox-inbox :base-url="baseUrl" :get-token.prop="getToken" agent="Ada" @loopbox-select="…" />, with
// compilerOptions.isCustomElement: (tag) => tag.startsWith("loopbox-").
const Inbox = {
  setup: () => {
    const unread = ref(0)
    return () =>
      h("main", [
        h("h1", `Messages (${unread.value})`),
        h("loopbox-unread", {
          hidden: true,
          ".baseUrl": baseUrl,
          ".getToken": getToken,
          onLoopboxUnread: ({ detail }) => (unread.value = detail.count)
        }),
        h("loopbox-inbox", { ".baseUrl": baseUrl, ".getToken": getToken, agent: "Ada", style: { height: "90vh" } })
      ])
  }
}

createApp(Inbox).mount("#root")
