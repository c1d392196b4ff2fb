import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

/** A mail server that accepts a connection and rejects on command. */
async function startBrokenServer() {
  const dialogues: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    dialogues.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, server, dialogues, close: () => server.close() }
}

describe('while mail can not be sent', () => {
  let broken: Awaited<ReturnType<typeof startBrokenServer>>
  let world: InstitutionWorld
  beforeAll(async () => {
    broken = await startBrokenServer()
    world = await startInstitutionWorld({ WEIR_MAIL_URL: broken.url })
  })
  afterAll(() => broken.close())

  it('[EDU-02] the answer is the same and does not wait for it; failures are counted, and the process can end', async () => {
    const own = await world.createInstitution()
    const order: string[] = []
    world.gateway.server.server.on('request', (_request, response) => {
      response.once('finish', () => order.push('answered'))
    })
    broken.server.once('connection', () => order.push('mailed'))
    const answer = await world.requestCode({ key: own.key, email: newEmail() })
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true,"sent":true}'])
    await expect.poll(() => broken.dialogues.length).toBeGreaterThanOrEqual(1)
    expect(order).toEqual(['answered', 'mailed'])
    for (const dialogue of broken.dialogues) dialogue.end('421 not now\r\n')
    await expect.poll(world.readMetrics).toMatch(/^weir_emails_total{class="institution_code",outcome="failed"} 1$/m)
    // A worker makes the next attempt.
    await world.close()
  })
})
