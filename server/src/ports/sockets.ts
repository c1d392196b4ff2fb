import type { TextSocket } from '#lib/text-socket.ts'

/** Opens WebSockets to upstreams. */
export interface Sockets {
  /** Rejects with a `SocketRefusedError` if the upstream answers with a status, or with any other error. */
  open(request: SocketRequest): Promise<TextSocket>
}

export interface SocketRequest {
  /** `wss://…` or `ws://…`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The upstream answered the handshake with this status. */
export class SocketRefusedError extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the upstream refused the WebSocket with status ${status}`)
    this.status = status
  }
}
