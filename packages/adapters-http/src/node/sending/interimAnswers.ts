import type { Socket } from "node:net"

/** Longest head of an interim answer that is kept until its end comes; what is longer is the parser's to refuse. */
const longestHead = 16 * 1024

/** Everything from 100 to 199 but 101, which nobody asks for. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/

/** As much of an answer as its status takes. */
const statusLength = "HTTP/1.1 100 ".length

/** Takes interim answers out of what a connection brings. */
export interface InterimFilter {
  /** A request is written, so that an answer is next. */
  readonly asked: () => void
  /** What remains of a chunk; nothing while it is not known what it is, or if nothing remains. */
  readonly push: (chunk: Buffer) => Buffer | undefined
}

/**
 * Makes a filter for a connection that has one request at a time.
 *
 * A receiver may send 100 Continue, 102 or 103 Early Hints before its answer, also to who did not ask for any (RFC 9110
 * §15.2). undici ends the connection at a 100.
 */
export const makeInterimFilter = (): InterimFilter => {
  let isBeforeAnswer = true
  let held: Buffer = Buffer.alloc(0)

  const release = (): Buffer => {
    const all = held
    held = Buffer.alloc(0)
    isBeforeAnswer = false
    return all
  }

  const push = (chunk: Buffer): Buffer | undefined => {
    if (!isBeforeAnswer) return chunk
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      const start = held.toString("latin1", 0, statusLength)
      if (!interim.test(start)) {
        // The beginning of one, perhaps: it is as long as that of any answer.
        return held.length < statusLength && "HTTP/1.".startsWith(start.slice(0, 7)) ? undefined : release()
      }
      const end = held.indexOf("\r\n\r\n")
      if (end < 0) return held.length < longestHead ? undefined : release()
      held = held.subarray(end + 4)
      if (held.length === 0) return undefined
    }
  }

  return {
    asked: () => {
      isBeforeAnswer = true
    },
    push
  }
}

/** Lets what reads from the socket see no interim answers. Whoever writes to it writes a request. */
export const skipInterimAnswers = <S extends Socket>(socket: S): S => {
  const filter = makeInterimFilter()
  const read: (size?: number) => unknown = socket.read.bind(socket)
  const write = socket.write.bind(socket)
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size)
      if (!Buffer.isBuffer(chunk)) return chunk
      const rest = filter.push(chunk)
      if (rest !== undefined) return rest
    }
  }
  socket.write = (...given: Array<unknown>) => {
    filter.asked()
    return Reflect.apply(write, undefined, given)
  }
  return socket
}
