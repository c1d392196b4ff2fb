import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byokPath, type ByokWorld, startByokWorld } from './byok-world.ts'

describe('connections of own keys', () => {
  let world: ByokWorld
  beforeAll(async () => {
    world = await startByokWorld()
  })
  afterAll(() => world.close())

  it('[I7] are never shared between keys, and close with their key', async () => {
    const homes = await Promise.all([world.newByokHome(), world.newByokHome()])
    const ids: string[] = []
    for (const home of homes) ids.push(String((await home.addOwnKey())['id']))
    // Each key has kept the one connection of its model list request.
    expect(world.own.openConnections()).toBe(2)
    for (let round = 0; round < 3; round += 1) {
      for (const home of homes) expect((await home.chat()).status).toBe(200)
    }
    expect(world.own.openConnections()).toBe(2)
    await homes[0]?.manager.delete(`${byokPath}/${ids[0]}`)
    await expect.poll(() => world.own.openConnections()).toBe(1)
    expect((await homes[1]?.chat())?.status).toBe(200)
    await homes[1]?.manager.patch(`${byokPath}/${ids[1]}`, { enabled: false })
    await expect.poll(() => world.own.openConnections()).toBe(0)
  })

  it('[I7] do not carry what one key’s host left behind to another key', async () => {
    const [victim, attacker] = await Promise.all([world.newByokHome(), world.newByokHome()])
    for (const home of [victim, attacker]) await home.addOwnKey({ fallbackMode: 'strict' })
    const poison = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: 'poison' }, finish_reason: 'stop' }],
    })
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${poison.length}\r\n\r\n`
    world.own.playNext({ kind: 'steps', steps: [{ do: 'raw', text: (head + poison).repeat(3) }] })
    await attacker.chat()
    for (let call = 0; call < 5; call += 1) {
      const reply = await victim.chat()
      expect(reply.status).toBe(200)
      expect(reply.text).not.toContain('poison')
    }
  })

  it('let a call that has begun finish when its key is deleted', async () => {
    const home = await world.newByokHome()
    const key = await home.addOwnKey({ fallbackMode: 'strict' })
    world.own.playNext({
      kind: 'steps',
      steps: [
        { do: 'gate', name: 'deleted' },
        { do: 'head', status: 200, headers: { 'content-type': 'application/json' } },
        { do: 'write', text: JSON.stringify({ choices: [{ message: { content: 'late' }, finish_reason: 'stop' }] }) },
        { do: 'end' },
      ],
    })
    const calling = home.chat()
    await world.own.waitForGate('deleted')
    await home.manager.delete(`${byokPath}/${key['id']}`)
    world.own.release('deleted')
    const reply = await calling
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('late')
  })
})
