const lineFeed = 10

export interface RawLine {
  /** From 1, blank lines included, as in an editor. */
  readonly line: number
  readonly firstByte: number
  readonly bytes: Buffer
}

/**
 * The lines of a file that are not blank. Of a line that is too long only the beginning is kept, one byte more than
 * allowed, so that memory stays bounded.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncIterable<RawLine> {
  let pieces: Buffer[] = []
  let kept = 0
  let at = 0
  let firstByte = 0
  let line = 1
  const add = (bytes: Buffer): void => {
    const piece = bytes.subarray(0, bytesMax + 1 - kept)
    kept += piece.length
    pieces.push(piece)
  }
  const take = (): RawLine => {
    const raw = { line, firstByte, bytes: Buffer.concat(pieces) }
    pieces = []
    kept = 0
    return raw
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end))
      const raw = take()
      if (!isBlank(raw.bytes)) yield raw
      from = end + 1
      firstByte = at + from
      line += 1
    }
    add(chunk.subarray(from))
    at += chunk.length
  }
  const last = take()
  if (!isBlank(last.bytes)) yield last
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
