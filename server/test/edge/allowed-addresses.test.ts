import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'

describe('the address allow-list of a key', () => {
  let direct: TestGateway
  let behindProxy: TestGateway
  beforeAll(async () => {
    direct = await startTestGateway()
    behindProxy = await startTestGateway({ WEIR_EDGE_PROXIES: '127.0.0.1' })
  })
  afterAll(async () => {
    await direct.close()
    await behindProxy.close()
  })

  it('[AUTH-11] admits a covered address and refuses any other', async () => {
    const key = await keyFor(behindProxy, ['203.0.113.7', '198.51.100.0/24'])
    expect(await statusFor(behindProxy, key, '203.0.113.7')).toBe(200)
    expect(await statusFor(behindProxy, key, '198.51.100.250')).toBe(200)
    expect(await statusFor(behindProxy, key, '203.0.113.8')).toBe(401)
    expect(await statusFor(direct, await keyFor(direct, ['127.0.0.1']))).toBe(200)
    expect(await statusFor(direct, await keyFor(direct, ['127.0.0.2']))).toBe(401)
  })

  it('[AUTH-12] refuses as it refuses an unknown key, to the byte', async () => {
    const outside = await answerFor(behindProxy, await keyFor(behindProxy, ['203.0.113.7']), '203.0.113.8')
    const unknown = await answerFor(behindProxy, `sk-weir-${'0'.repeat(43)}`, '203.0.113.8')
    expect(outside.status).toBe(401)
    expect(outside.text).toBe(unknown.text)
    expect(names(outside)).toEqual(names(unknown))
  })

  it.each([
    ['10.1.2.3', ['10.1.2.3'], ['10.1.2.2', '10.1.2.4', '110.1.2.3']],
    ['10.1.2.3/32', ['10.1.2.3'], ['10.1.2.2', '10.1.2.4']],
    ['10.1.2.0/31', ['10.1.2.0', '10.1.2.1'], ['10.1.2.2', '10.1.1.255']],
    ['10.1.2.77/24', ['10.1.2.0', '10.1.2.255'], ['10.1.3.0', '10.1.1.255']],
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['11.0.0.0', '9.255.255.255']],
    ['128.0.0.0/1', ['128.0.0.0', '255.255.255.255'], ['127.255.255.255']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255', '8.8.8.8'], ['2001:db8::1']],
  ])('[AUTH-13] %s covers its block and nothing else', async (entry, inside, outside) => {
    const key = await keyFor(behindProxy, [entry])
    for (const address of inside) expect(await statusFor(behindProxy, key, address), address).toBe(200)
    for (const address of outside) expect(await statusFor(behindProxy, key, address), address).toBe(401)
  })

  it('[AUTH-14] an IPv6 entry is the identical text only', async () => {
    const key = await keyFor(behindProxy, ['2001:db8::1'])
    expect(await statusFor(behindProxy, key, '2001:db8::1')).toBe(200)
    for (const other of ['2001:DB8::1', '2001:db8:0::1', '2001:0db8::1', '2001:db8::2', '::1']) {
      expect(await statusFor(behindProxy, key, other), other).toBe(401)
    }
  })

  it('[AUTH-15] an unknown address is refused by any list, and admitted by none', async () => {
    const listed = await keyFor(behindProxy, ['0.0.0.0/0'])
    const open = await keyFor(behindProxy, [])
    for (const unknown of [undefined, '', 'unknown', '1.2.3.4, 5.6.7.8', '999.1.1.1', '1.2.3.4:80']) {
      expect(await statusFor(behindProxy, listed, unknown), unknown).toBe(401)
      expect(await statusFor(behindProxy, open, unknown), unknown).toBe(200)
    }
    expect(await statusFor(behindProxy, open, '192.0.2.1')).toBe(200)
  })

  it('[AUTH-16] only a configured proxy is believed about the address', async () => {
    const key = await keyFor(direct, ['203.0.113.7'])
    expect(await statusFor(direct, key, '203.0.113.7')).toBe(401)
    for (const name of ['x-forwarded-for', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip']) {
      for (const gateway of [direct, behindProxy]) {
        const own = await keyFor(gateway, ['203.0.113.7'])
        const response = await gateway.as(own).get('/v1/key', { headers: { [name]: '203.0.113.7' } })
        expect(response.status, name).toBe(401)
      }
    }
  })
})

async function statusFor(gateway: TestGateway, key: string, clientIp?: string): Promise<number> {
  return (await answerFor(gateway, key, clientIp)).status
}

function answerFor(gateway: TestGateway, key: string, clientIp?: string): Promise<Reply> {
  return gateway.as(key).get('/v1/key', { headers: clientIp === undefined ? {} : { 'x-real-ip': clientIp } })
}

async function keyFor(gateway: TestGateway, allowedCidrs: string[]): Promise<string> {
  return (await gateway.createClient({ terms: { allowedCidrs } })).key
}

function names(response: Reply): string[] {
  return [...response.headers.keys()].sort()
}
