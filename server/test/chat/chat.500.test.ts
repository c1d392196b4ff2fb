import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatWorld, errorOf, startChatWorld } from './chat-world.ts'

describe('a fault inside the gateway', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
    // No operator can cause this: the account's vendor is missing in the program.
    await world.gateway.pool.query(`UPDATE provider_accounts SET vendor = 'gone' WHERE name = 'openai'`)
    await world.gateway.pool.query(`UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing'`)
    await world.gateway.gateway.refresh()
  })
  afterAll(() => world.close())

  it('[ERR-04] answers 500 without a word of what broke, and returns the hold', async () => {
    for (const stream of [false, true]) {
      const caller = await world.caller()
      const reply = await world.chat({ stream }, { as: caller })
      expect(reply.status).toBe(500)
      expect(errorOf(reply)).toEqual({ message: expect.any(String), type: expect.any(String), code: 500 })
      expect(reply.text).not.toMatch(/\bat \S+ \(|\.ts|node:|vendor/)
      expect(await world.gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
    }
    expect(world.upstreamCalls()).toBe(0)
    // The log gives the operator the reason.
    expect(world.gateway.logLines.some((line) => line.includes('the vendor gone'))).toBe(true)
  })
})
