import { request } from 'node:http'

/** Sends a whole request and closes the connection before any response. */
export function sendAndLeave(url: string, headers: Record<string, string>, body: unknown): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const text = JSON.stringify(body)
  const fields = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const sent = request(url, { method: 'POST', headers: fields, agent: false })
  sent.on('error', () => {})
  sent.on('close', () => resolve())
  sent.end(text, () => sent.destroy())
  return promise
}
