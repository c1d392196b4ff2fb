import type { LineAnswer } from './batch.ts'

/** The stored form of an answer: status and request id, then the body as it is. */
export function packAnswer({ status, requestId, body }: LineAnswer): Buffer {
  return Buffer.from(`${status} ${requestId}\n${body}`)
}

export function unpackAnswer(bytes: Buffer): LineAnswer {
  const end = bytes.indexOf('\n')
  const [status, requestId = ''] = bytes.toString('utf8', 0, end).split(' ')
  return { status: Number(status), requestId, body: bytes.toString('utf8', end + 1) }
}

/** A JSON string contains no line break, so each break in a document is only space. */
export function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ')
}
