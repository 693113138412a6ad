import "@loopbox/elements"
import { createRoot } from "react-dom/client"
import { Inbox } from "./Inbox.jsx"

createRoot(document.getElementById("root")).render(<Inbox />)
