import type { WebSocket } from 'ws'

/** A WebSocket whose messages are texts. */
export interface TextSocket {
  /** Sends a text. Nothing happens once the socket is closed. */
  send(text: string): void
  /** Bytes that the network has not taken yet. */
  readonly bufferedBytes: number
  readonly isClosed: boolean
  /** At most one listener. Texts that came before it are passed to it at once. */
  onText(listener: (text: string) => void): void
  /** Called once. */
  onClosed(listener: () => void): void
  /** Called when few bytes are left in the buffer. At most one listener. */
  onDrained(listener: () => void): void
  pause(): void
  resume(): void
  /** Pings the other side. Returns false if it has not answered since the last beat. */
  beat(): boolean
  /** Closes politely, and after a second in any case. */
  close(code: number, reason: string): void
}

const drainedBytes = 65_536
const closeTimeoutMs = 1_000
const unsupportedData = 1003

const ignore = (): void => {}

export function textSocket(socket: WebSocket): TextSocket {
  const early: string[] = []
  let read = (text: string): void => void early.push(text)
  let drained = ignore
  let hasAnswered = true
  socket.on('message', (data, isBinary) => {
    hasAnswered = true
    // Every message is one Buffer unless `binaryType` is changed.
    if (!isBinary && Buffer.isBuffer(data)) read(data.toString('utf8'))
    else socket.close(unsupportedData, 'Messages must be text.')
  })
  socket.on('pong', () => {
    hasAnswered = true
  })
  // A failure is followed by `close`.
  socket.on('error', ignore)
  const sent = (): void => {
    if (socket.bufferedAmount <= drainedBytes) drained()
  }
  return {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text, sent)
    },
    get bufferedBytes() {
      return socket.bufferedAmount
    },
    get isClosed() {
      return socket.readyState === socket.CLOSING || socket.readyState === socket.CLOSED
    },
    onText: (listener) => {
      read = listener
      for (const text of early.splice(0)) listener(text)
    },
    onClosed: (listener) => void socket.once('close', listener),
    onDrained: (listener) => {
      drained = listener
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    beat: () => {
      const isAlive = hasAnswered
      hasAnswered = false
      if (socket.readyState === socket.OPEN) socket.ping()
      return isAlive
    },
    close: (code, reason) => {
      // A paused socket would never see the other side's answer.
      socket.resume()
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), closeTimeoutMs).unref()
    },
  }
}
