import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { type HostsWorld, startHostsWorld } from './hosts-world.ts'

let world: HostsWorld
beforeAll(async () => {
  world = await startHostsWorld()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

function turns(question: string): { first: JsonObject[]; next: JsonObject[] } {
  const first = [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: question },
  ]
  return {
    first,
    next: [...first, { role: 'assistant', content: question }, { role: 'user', content: 'And then?' }],
  }
}

/** Makes the first provider fail a conversation's first turn, so that the second one answers it. */
async function begin(caller: TestClient, question: string, stream: boolean): Promise<JsonObject[]> {
  const { first, next } = turns(question)
  world.hosts.groq.playNext(serverError(500))
  expect((await world.chat({ messages: first, stream }, caller)).status).toBe(200)
  expect(world.asked()).toEqual({ groq: 1, together: 1 })
  world.reset()
  return next
}

describe.each([false, true])('after another host than the first has answered, with stream %j', (stream) => {
  it('[ROUTE-15] the next turn of the conversation goes to it, where the prompt is still known', async () => {
    const caller = await world.gateway.createClient()
    const messages = await begin(caller, 'What is a weir?', stream)
    expect((await world.chat({ messages, stream }, caller)).status).toBe(200)
    expect(world.asked()).toEqual({ together: 1 })
  })

  it('[ROUTE-15] other conversations and other callers begin with the first host', async () => {
    const caller = await world.gateway.createClient()
    const messages = await begin(caller, 'What is a lock?', stream)
    await world.chat({ messages: turns('What is a dam?').first, stream }, caller)
    await world.chat({ messages, stream })
    expect(world.asked()).toEqual({ groq: 2 })
  })

  it('[ROUTE-19] [ROUTE-23] a caller who says whom to ask first is not second-guessed', async () => {
    const caller = await world.gateway.createClient()
    const messages = await begin(caller, 'What is a sluice?', stream)
    await world.chat({ messages, stream, provider: { order: ['fireworks'] } }, caller)
    expect(world.asked()).toEqual({ fireworks: 1 })
    await world.chat({ messages, stream, provider: { sort: 'price' } }, caller)
    expect(world.asked()).toEqual({ fireworks: 1, deepinfra: 1 })
    await world.chat({ messages, stream, provider: { order: ['groq'] } }, caller)
    expect(world.asked()).toEqual({ fireworks: 1, deepinfra: 1, groq: 1 })
  })
})
