import type { CallBody, Client } from '#test/setup/client.ts'

/** One call as its client saw it, with the moments by the client's clock. */
export interface Observed {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  readonly isStream: boolean
  /** From the header that carries it. */
  readonly generationId: string
  readonly startedAtMs: number
  /** Of the body. */
  readonly firstByteAtMs: number
  /** When all was read, or when the client left. */
  readonly endedAtMs: number
}

/** Calls, and reads the answer to its end; or leaves as soon as the text that it waits for has come. */
export async function observeCall(
  client: Client,
  { path, body, app, leaveAfter }: { path: string; body: CallBody; app: string; leaveAfter?: string | undefined },
): Promise<Observed> {
  const leaving = new AbortController()
  const startedAtMs = Date.now()
  const response = await client.open('POST', path, body, { headers: { 'x-title': app }, signal: leaving.signal })
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
