/** Yields the `data` of each server-sent event as it arrives. It skips comments, which keep the connection alive. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const split = createEventSplitter()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* split(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.releaseLock()
  }
}

/** Takes pieces of a stream, cut anywhere, and returns the data of the events that are complete. */
export function createEventSplitter(): (piece: string) => readonly string[] {
  let rest = ''
  let lines: string[] = []
  return (piece) => {
    const parts = (rest + piece).split(/\r?\n/)
    rest = parts.pop() ?? ''
    const events: string[] = []
    for (const line of parts) {
      if (line.startsWith('data:')) lines.push(line.slice(5).replace(/^ /, ''))
      if (line !== '' || lines.length === 0) continue
      events.push(lines.join('\n'))
      lines = []
    }
    return events
  }
}
