const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')
const contentLength = /\r\ncontent-length: *(\d+)/i
const chunked = /\r\ntransfer-encoding: *chunked/i

/** Splits the bytes of one connection into whole requests, head and body together. */
export function createRequestFramer(onRequest: (request: Buffer) => void): (part: Buffer) => void {
  let pending: Buffer | null = null
  return (part) => {
    let bytes: Buffer = pending === null ? part : Buffer.concat([pending, part])
    pending = null
    while (bytes.length > 0) {
      const end = findRequestEnd(bytes)
      if (end === -1) {
        pending = bytes
        return
      }
      onRequest(bytes.subarray(0, end))
      bytes = bytes.subarray(end)
    }
  }
}

/** Returns the end of the first request, or -1 while it is incomplete. */
function findRequestEnd(bytes: Buffer): number {
  const at = bytes.indexOf(headEnd)
  if (at === -1) return -1
  const bodyStart = at + headEnd.length
  const head = bytes.toString('latin1', 0, at)
  const length = contentLength.exec(head)?.[1]
  if (length !== undefined) {
    const end = bodyStart + Number(length)
    return bytes.length >= end ? end : -1
  }
  if (!chunked.test(head)) return bodyStart
  // Sufficient for our own bodies, which contain no such line breaks.
  const last = bytes.indexOf(lastChunk, bodyStart)
  return last === -1 ? -1 : last + lastChunk.length
}
