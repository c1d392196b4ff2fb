import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from './chat-world.ts'

const dayMs = 86_400_000

describe('a model about to retire', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())

  async function retireAt(retiresAtMs: number): Promise<void> {
    const { pool, gateway } = world.gateway
    await pool.query(`UPDATE models SET retires_on = $1 WHERE id = 'openai/gpt-4.1-nano'`, [new Date(retiresAtMs)])
    await pool.query(`UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'`)
    await gateway.refresh()
  }

  it('[MODEL-18] is listed, flagged and can be called until its last day', async () => {
    await retireAt(Date.now() + dayMs)
    const { list: models } = await world.gateway.as().get('/v1/models')
    const shown = models.find(({ id }) => id === 'openai/gpt-4.1-nano')
    expect(shown?.status).toBe('end-of-life')
    const reply = await world.chat({ model: 'openai/gpt-4.1-nano' })
    expect(reply.status).toBe(200)
    expect(reply.json.model).toBe('openai/gpt-4.1-nano')
    expect(world.openai.requests).toHaveLength(1)
    await retireAt(Date.now() - dayMs)
    expect((await world.chat({ model: 'openai/gpt-4.1-nano' })).status).toBe(410)
    expect(world.openai.requests).toHaveLength(1)
  })
})
