import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const accept = { accept: 'text/event-stream' }

/** The `wallet` events of an open stream, one by one. */
async function openEvents(walletId: string, headers: Readonly<Record<string, string>>) {
  const leaving = new AbortController()
  const url = `${gateway.url}/api/wallets/${walletId}/events`
  const { status, body } = await fetch(url, { headers, signal: leaving.signal })
  expect(status).toBe(200)
  const reader = (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<string | null> {
    const [, data] = /^event: wallet\ndata: (.*)\n\n/m.exec(text) ?? []
    if (data !== undefined) {
      text = text.slice(text.indexOf(data) + data.length + 2)
      return data
    }
    const { done, value = '' } = await reader.read()
    text += value
    return done ? null : next()
  }
  return { next, leave: () => leaving.abort() }
}

it('shows a charge and a rejected request to whoever may read the wallet', async () => {
  const { userId, walletId, key } = await gateway.createClient({ usd: '1' })
  const session = (await gateway.signIn(userId)).split(';')[0] ?? ''
  const events = await openEvents(walletId, { ...accept, cookie: session })
  expect(await events.next()).toBe('{"balance":1,"held":0,"available":1,"charged":0,"refused":0}')
  const messages = [{ role: 'user', content: 'one two three' }]
  expect((await gateway.as(key).post('/v1/chat/completions', { model: 'test/priced', messages })).status).toBe(200)
  let seen = await events.next()
  while (seen !== null && !/"held":0,.*"charged":0\.0000\d+/.test(seen)) seen = await events.next()
  expect(seen).toBe('{"balance":0.99999,"held":0,"available":0.99999,"charged":0.00001,"refused":0}')
  const { key: poor } = await gateway.addKey(userId, { limit: 0n as never })
  expect((await gateway.as(poor).post('/v1/chat/completions', { model: 'test/priced', messages })).status).toBe(402)
  while (seen !== null && !seen.includes('"refused":1')) seen = await events.next()
  expect(seen).toContain('"charged":0.00001,"refused":1')
  events.leave()
})

it('has only the current figures for a client that does not ask for events', async () => {
  const { userId, walletId } = await gateway.createClient({ usd: '2.5' })
  const session = (await gateway.signIn(userId)).split(';')[0] ?? ''
  const reply = await fetch(`${gateway.url}/api/wallets/${walletId}/events`, { headers: { cookie: session } })
  expect(await reply.text()).toBe(
    'event: wallet\ndata: {"balance":2.5,"held":0,"available":2.5,"charged":0,"refused":0}\n\n',
  )
})

it.each([
  [
    'another person',
    async () => (await gateway.signIn((await gateway.createClient()).userId)).split(';')[0] ?? '',
    404,
  ],
  ['nobody', async () => '', 401],
])('refuses %s', async (_who, cookieOf, status) => {
  const { walletId } = await gateway.createClient({ usd: '1' })
  const cookie = await cookieOf()
  const reply = await fetch(`${gateway.url}/api/wallets/${walletId}/events`, {
    headers: { ...accept, ...(cookie === '' ? {} : { cookie }) },
  })
  expect(reply.status).toBe(status)
  await reply.text()
})

it('ends when the gateway shuts down', async () => {
  const own = await startTestGateway()
  const { userId, walletId } = await own.createClient({ usd: '1' })
  const cookie = (await own.signIn(userId)).split(';')[0] ?? ''
  const reply = await fetch(`${own.url}/api/wallets/${walletId}/events`, { headers: { ...accept, cookie } })
  const reading = reply.text()
  await own.close()
  expect(await reading).toMatch(/^event: wallet\n/)
})
