import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

/** A mail server that takes the first words and then says it can not. */
async function startBrokenServer(): Promise<{ url: string; dialogues(): number; close(): void }> {
  let count = 0
  const server: Server = createServer((socket) => {
    count += 1
    socket.on('error', () => {})
    socket.end('421 not now\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, dialogues: () => count, close: () => server.close() }
}

describe('while mail can not be sent', () => {
  let broken: Awaited<ReturnType<typeof startBrokenServer>>
  let world: InstitutionWorld
  beforeAll(async () => {
    broken = await startBrokenServer()
    world = await startInstitutionWorld({ WEIR_MAIL_URL: broken.url })
  })
  afterAll(async () => {
    await world.close()
    broken.close()
  })

  it('[EDU-02] the answer is the same and as quick; it is tried three times, counted, and told to the organization', async () => {
    const own = await world.createInstitution()
    const startMs = performance.now()
    const answer = await world.requestCode({ key: own.key, email: newEmail() })
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true,"sent":true}'])
    expect(performance.now() - startMs).toBeLessThan(900)
    await expect
      .poll(() => world.auditOf(own.organizationId, 'institution.code.refused'), { timeout: 20_000 })
      .toMatchObject([{ details: { reason: 'mail_failed', domain: 'uni.edu' } }])
    expect(broken.dialogues()).toBe(3)
    const { text: metrics } = await world.as().get('/metrics')
    expect(metrics).toMatch(/^weir_institution_mails_failed_total 3$/m)
  })

  it('the process can end: what waits for the mail server is given up', async () => {
    const other = await startInstitutionWorld({ WEIR_MAIL_URL: broken.url })
    const own = await other.createInstitution()
    await other.requestCode({ key: own.key, email: newEmail() })
    const startMs = performance.now()
    await other.close()
    expect(performance.now() - startMs).toBeLessThan(4_500)
  })
})
