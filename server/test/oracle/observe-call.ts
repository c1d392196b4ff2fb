import type { CallBody, Client } from '#test/setup/client.ts'

/** One request as its client saw it, with times by the client's clock. */
export interface Observed {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  readonly isStream: boolean
  /** From the response header. */
  readonly generationId: string
  readonly startedAtMs: number
  /** The first byte of the body. */
  readonly firstByteAtMs: number
  /** The time of the end, or of the client's disconnect. */
  readonly endedAtMs: number
}

interface ObservedCall {
  readonly path: string
  readonly body: CallBody
  readonly app: string
  /** The client disconnects as soon as it has read this text. */
  readonly leaveAfter?: string
  /** The client disconnects when this resolves, whatever has arrived. */
  readonly leaveWhen?: Promise<void>
}

/** Sends the request, and reads the response to its end, or until the client disconnects. */
export async function observeCall(client: Client, call: ObservedCall): Promise<Observed> {
  const { path, body, app, leaveAfter, leaveWhen } = call
  const leaving = new AbortController()
  const startedAtMs = Date.now()
  let leftAtMs: number | null = null
  void leaveWhen?.then(() => {
    leftAtMs = Date.now()
    leaving.abort()
  })
  const answered = client.open('POST', path, body, { headers: { 'x-title': app }, signal: leaving.signal })
  if (leaveWhen !== undefined) {
    const response = await answered.catch(() => null)
    if (response !== null) throw new Error(`answered before the client could leave: ${response.status}`)
    return { ...nothingSeen, startedAtMs, firstByteAtMs: leftAtMs ?? 0, endedAtMs: leftAtMs ?? 0 }
  }
  const response = await answered
  const pieces: Uint8Array[] = []
  let firstByteAtMs: number | null = null
  const textSoFar = (): string => Buffer.concat(pieces).toString('utf8')
  for await (const piece of response.body ?? []) {
    firstByteAtMs ??= Date.now()
    pieces.push(piece)
    if (leaveAfter !== undefined && textSoFar().includes(leaveAfter)) break
  }
  const endedAtMs = Date.now()
  leaving.abort()
  const { status, headers } = response
  return {
    status,
    headers,
    bytes: Buffer.concat(pieces),
    text: textSoFar(),
    isStream: headers.get('content-type')?.startsWith('text/event-stream') ?? false,
    generationId: headers.get('x-generation-id') ?? '',
    startedAtMs,
    firstByteAtMs: firstByteAtMs ?? endedAtMs,
    endedAtMs,
  }
}

const nothingSeen = {
  status: 0,
  headers: new Headers(),
  bytes: Buffer.alloc(0),
  text: '',
  isStream: false,
  generationId: '',
}
