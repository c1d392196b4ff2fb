/**
 * Extracts the objects of a JSON array while it arrives, which is how Gemini streams unless events are requested. A
 * single object outside an array counts too. The content of the objects is not checked here.
 */
interface JsonArraySplitter {
  push(bytes: Buffer): void
}

interface JsonArraySplitterOptions {
  onObject: (bytes: Buffer) => void
  /** Splitting stops at an unfinished object larger than this. */
  objectBytesMax: number
  onOversize: () => void
}

const quote = 34
const backslash = 92
const openBrace = 123
const closeBrace = 125

export function createJsonArraySplitter(options: JsonArraySplitterOptions): JsonArraySplitter {
  let pieces: Buffer[] = []
  let keptBytes = 0
  let depth = 0
  let inText = false
  let isEscaped = false
  let stopped = false

  function push(bytes: Buffer): void {
    if (stopped) return
    let start = 0
    for (let position = 0; position < bytes.length; position += 1) {
      const wasOutside = depth === 0
      step(bytes[position] ?? 0)
      if (wasOutside && depth === 1) start = position
      if (wasOutside || depth > 0) continue
      const object = Buffer.concat([...pieces, bytes.subarray(start, position + 1)])
      pieces = []
      keptBytes = 0
      start = position + 1
      options.onObject(object)
    }
    if (depth > 0) keep(bytes.subarray(start))
  }

  function step(byte: number): void {
    if (inText) {
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) inText = false
      return
    }
    if (byte === quote && depth > 0) inText = true
    else if (byte === openBrace) depth += 1
    else if (byte === closeBrace && depth > 0) depth -= 1
  }

  function keep(rest: Buffer): void {
    // A copy, because the buffer is reused.
    pieces.push(Buffer.from(rest))
    keptBytes += rest.length
    if (keptBytes <= options.objectBytesMax) return
    stopped = true
    options.onOversize()
  }

  return { push }
}
