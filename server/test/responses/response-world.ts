import { expect } from 'vitest'
import type { Outside } from '#bin/wiring/outside.ts'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

/** A gateway that stores responses. A whole answer costs 0.006. */
export interface ResponseWorld extends KeyWorld {
  respond(as: Credential, body: JsonObject, headers?: Record<string, string>): Promise<Reply>
  /** Sends a request that is stored, and returns the id of its response. */
  stored(as: Credential, body?: JsonObject): Promise<string>
  read(as: Credential, id: string, rest?: string): Promise<Reply>
  cancel(as: Credential, id: string): Promise<Reply>
  /** Polls a response in the background until it has ended. */
  ended(as: Credential, id: string): Promise<JsonObject>
  /** The messages that the upstream saw last. */
  seen(): unknown
}

export const missing = { status: 404, text: expect.stringContaining('Response not found.') }
const usage = { prompt: 0, completion: 500 }

export function answerOf(text: string): Scenario {
  return vendorCompletion('openai', { kind: 'text', pieces: [text], usage })
}

export async function startResponseWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<ResponseWorld> {
  const world = await startKeyWorld(outside, { WEIR_RESPONSES_RETENTION_MS: '3600000', ...environment })
  const respond: ResponseWorld['respond'] = (as, body, headers = {}) =>
    world
      .as(as)
      .post('/v1/responses', { model: 'openai/gpt-5.2', input: 'Hello', max_output_tokens: 500, ...body }, { headers })
  const read: ResponseWorld['read'] = (as, id, rest = '') => world.as(as).get(`/v1/responses/${id}${rest}`)
  return {
    ...world,
    respond,
    stored: async (as, body = {}) => {
      const { json, status, text } = await respond(as, { store: true, ...body })
      expect(status, text).toBe(200)
      return String(json.id)
    },
    read,
    cancel: (as, id) => world.as(as).post(`/v1/responses/${id}/cancel`),
    ended: async (as, id) => {
      const statusOf = async (): Promise<unknown> => (await read(as, id)).json.status
      await expect.poll(statusOf, { interval: 20 }).not.toBe('in_progress')
      return (await read(as, id)).json
    },
    seen: () => {
      const body: unknown = world.upstream.requests.at(-1)?.body
      return typeof body === 'object' && body !== null && 'messages' in body ? body.messages : undefined
    },
  }
}
