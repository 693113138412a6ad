import { useState } from "react"

const baseUrl = "http://127.0.0.1:8080"
const getToken = async () => (await fetch("/my/loopbox-token")).text()

/** React 19 gives functions and objects to custom elements as properties, and listens to their events. */
export function Inbox() {
  const [unread, setUnread] = useState(0)
  return (
    <main>
      <h1>Messages ({unread})</h1>
      <loopbox-unread
        hidden
        baseUrl={baseUrl}
        getToken={getToken}
        onloopbox-unread={(event) => setUnread(event.detail.count)}
      />
      <loopbox-inbox baseUrl={baseUrl} getToken={getToken} agent="Ada" style={{ height: "90vh" }} />
    </main>
  )
}
