import { expect } from 'vitest'
import type { World } from './world.ts'

interface Called {
  readonly generationId: string
  readonly requestId: string
}

/**
 * Calls a model, and waits for the record of the request: the gateway settles it after the answer, and lists in the
 * browser read it once.
 */
export async function callModel({ gateway }: World, key: string, model = 'test/priced'): Promise<Called> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
  const { status, text, headers } = await gateway.as(key).post('/v1/chat/completions', body)
  expect(status, text).toBe(200)
  const generationId = headers.get('x-generation-id') ?? ''
  const recorded = `SELECT 1 FROM generations WHERE 'gen-' || replace(id::text, '-', '') = $1`
  await expect.poll(async () => (await gateway.pool.query(recorded, [generationId])).rowCount).toBe(1)
  return { generationId, requestId: headers.get('x-request-id') ?? '' }
}
