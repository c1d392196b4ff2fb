import { open } from 'node:fs/promises'
import { ndjsonLine } from '#domain/events/ndjson-event.ts'
import type { EventSink } from '#ports/event-sinks.ts'
import { appendDurably } from '../spool/append-durably.ts'

/** Appends one line per event. The file is opened for each batch, so it can be renamed at any time. */
export function createNdjsonFileSink(path: string): EventSink {
  return {
    name: 'ndjson-file',
    async send(events) {
      const lines = events.map((event) => Buffer.from(ndjsonLine(event)))
      await appendDurably(path, Buffer.concat([restOfLine(await readTornLine(path), lines), ...lines]))
      return { kind: 'taken' }
    },
  }
}

/**
 * Returns the text that completes a line that a crash has cut off. Its batch was never recorded as sent, so the event
 * is among these lines again and its line can be completed. A line of another writer only gets its line break.
 */
function restOfLine(torn: Buffer, lines: readonly Buffer[]): Buffer {
  if (torn.length === 0) return torn
  const whole = lines.find((line) => line.subarray(0, torn.length).equals(torn))
  return whole?.subarray(torn.length) ?? Buffer.from('\n')
}

// Longer than any line that we write.
const tailBytes = 65_536

/** The end of the file after its last newline. Empty if the file is missing or ends with a newline. */
async function readTornLine(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const tail = buffer.subarray(0, bytesRead)
    return tail.subarray(tail.lastIndexOf('\n') + 1)
  } finally {
    await file.close()
  }
}
