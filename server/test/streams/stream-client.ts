import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '#lib/json.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { type ChatTarget, hello } from '#test/setup/call-chat.ts'

/** A client that sees every byte as it arrives, and may disconnect or stop reading at any moment. */
export interface StreamClient {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** Resolves when the text so far matches; rejects when the stream ends before. */
  waitFor(what: string | RegExp): Promise<void>
  /** Resolves with the whole text at the end. */
  end(): Promise<string>
  /** Stops reading, so that the connection fills up. */
  pause(): void
  resume(): void
  leave(): void
}

/** Opens a stream; resolves with its head. */
export async function openStream(
  target: ChatTarget,
  body: JsonObject = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamClient> {
  const { response, leave } = await sendChat(target, { stream: true, ...body }, headers)
  const watchers = new Set<() => void>()
  let text = ''
  let over = false
  const notify = (): void => {
    for (const watcher of watchers) watcher()
  }
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    notify()
  })
  response.on('close', () => {
    over = true
    notify()
  })
  response.on('error', () => {})

  function until(isMet: () => boolean, why: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isMet() && !over) return
        watchers.delete(look)
        if (isMet()) resolve()
        else reject(new Error(`the stream ended before ${why}: ${text}`))
      }
      watchers.add(look)
      look()
    })
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get text() {
      return text
    },
    waitFor: (what) =>
      until(() => (typeof what === 'string' ? text.includes(what) : what.test(text)), `it had ${String(what)}`),
    end: async () => {
      await until(() => over, 'its end')
      return text
    },
    pause: () => response.pause(),
    resume: () => response.resume(),
    leave,
  }
}

/** Sends a request and returns a function that disconnects even before a response. */
export function startChat(
  target: ChatTarget,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): { response: Promise<IncomingMessage>; leave: () => void } {
  const outgoing = request(`${target.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json', ...headers },
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
  })
  outgoing.end(JSON.stringify({ model: 'openai/gpt-5.2', messages: hello, ...body }))
  return { response, leave: () => outgoing.destroy() }
}

async function sendChat(target: ChatTarget, body: JsonObject, headers: Readonly<Record<string, string>>) {
  const { response, leave } = startChat(target, body, headers)
  return { response: await response, leave }
}

export function lastPayload(text: string): JsonObject {
  const payload = payloadsOf(text).findLast((candidate) => candidate !== '[DONE]')
  return payload === undefined ? {} : JSON.parse(payload)
}
