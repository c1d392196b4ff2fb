import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { MediaHandler } from '../../start-media-upstream.ts'

/** An upstream that speaks on command, so that a test decides when each chunk is sent. */
interface PacedSpeech {
  readonly handler: MediaHandler
  /** Resolves with the response of the next request, whose head is sent. */
  next(): Promise<Speaking>
}

interface Speaking {
  /** Resolves when the socket has accepted the bytes. */
  send(bytes: Buffer): Promise<void>
  end(): void
  /** Closes the connection midway. */
  breakOff(): void
  /** Resolves when the other side has closed the connection. */
  readonly closed: Promise<unknown>
}

export function pacedSpeech(contentType = 'audio/mpeg'): PacedSpeech {
  const arrived: Speaking[] = []
  const waiting: ((speaking: Speaking) => void)[] = []
  return {
    handler: (_call, response) => {
      response.writeHead(200, { 'content-type': contentType })
      response.flushHeaders()
      const speaking = speakingOver(response)
      const resolve = waiting.shift()
      if (resolve === undefined) arrived.push(speaking)
      else resolve(speaking)
      return undefined
    },
    next: () => {
      const first = arrived.shift()
      if (first !== undefined) return Promise.resolve(first)
      const { promise, resolve } = Promise.withResolvers<Speaking>()
      waiting.push(resolve)
      return promise
    },
  }
}

function speakingOver(response: ServerResponse): Speaking {
  return {
    closed: once(response, 'close'),
    send: async (bytes) => {
      if (!response.write(bytes)) await once(response, 'drain')
    },
    end: () => response.end(),
    breakOff: () => response.destroy(),
  }
}
