const getToken = async () => (await fetch("/my/loopbox-token")).text()

// One place for all elements of the page; each asks when it needs one, and again when it has ended.
for (const element of document.querySelectorAll("loopbox-inbox, loopbox-unread")) element.getToken = getToken

// What is open stands in the page's address.
const inbox = document.querySelector("loopbox-inbox")
const opened = new URLSearchParams(location.search).get("thread")
if (opened !== null) inbox.thread = opened
inbox.addEventListener("loopbox-select", ({ detail }) => {
  history.replaceState(null, "", detail.threadId === null ? location.pathname : `?thread=${detail.threadId}`)
})
