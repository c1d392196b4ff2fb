import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerDns, type DnsReply, type DnsServer, startDnsServer } from '#test/egress/start-dns-server.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type AskDns, createAskDns } from './ask-dns.ts'

const slow = Promise.withResolvers<DnsReply>()

const zone: Record<string, ReturnType<AnswerDns>> = {
  'both.example A': [
    { type: 'A', data: '192.0.2.1', ttl: 40 },
    { type: 'A', data: '192.0.2.2', ttl: 30 },
  ],
  'both.example AAAA': [{ type: 'AAAA', data: '2001:db8:0:0:0:0:0:1', ttl: 50 }],
  'alias.example A': [
    { type: 'CNAME', data: 'both.example', ttl: 7 },
    { type: 'A', data: '192.0.2.3', ttl: 40 },
  ],
  'brief.example A': [{ type: 'A', data: '192.0.2.4', ttl: 0 }],
  'lasting.example A': [{ type: 'A', data: '192.0.2.5', ttl: 86_400 }],
  'half.example A': [{ type: 'A', data: '192.0.2.6' }],
  'half.example AAAA': 'failed',
  'failed.example A': 'failed',
  'silent.example A': 'silent',
  'slow.example A': slow.promise,
  'silent.example AAAA': 'silent',
  'service.two.local A': [{ type: 'A', data: '192.0.2.7' }],
  'service.one.local A': 'failed',
}

describe('[B4] asking DNS', () => {
  let server: DnsServer
  let folder: string
  const clock = createTestClock('2030-01-01T00:00:00Z')
  const paths = () => ({ hostsPath: join(folder, 'hosts'), resolvConfPath: join(folder, 'resolv.conf') })
  let ask: AskDns
  beforeAll(async () => {
    server = await startDnsServer((name, type) => zone[`${name} ${type}`] ?? (name === 'here.example' ? [] : 'missing'))
    folder = await mkdtemp(join(tmpdir(), 'weir-dns-'))
    await writeFile(paths().resolvConfPath, 'search one.local two.local\noptions ndots:2\n')
    await writeFile(paths().hostsPath, '192.0.2.100 pinned.example both.example\n')
    ask = asking({})
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  function asking(options: { searches?: boolean; timeoutMs?: number; hostsPath?: string }): AskDns {
    const common = { servers: [server.address], searches: false, timeoutMs: 60_000, nowMs: clock.nowMs }
    return createAskDns({ ...common, ...paths(), hostsPath: '/nonexistent', ...options })
  }

  it('gives the addresses of both families, for as long as the shortest of them holds', async () => {
    expect(await ask('both.example')).toEqual({
      addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
      ttlMs: 30_000,
    })
    expect(await ask('ALIAS.example.')).toEqual({ addresses: ['192.0.2.3'], ttlMs: 7_000 })
    expect(await ask('half.example')).toEqual({ addresses: ['192.0.2.6'], ttlMs: 60_000 })
  })

  it('keeps nothing for less than a second nor for more than five minutes', async () => {
    expect(await ask('brief.example')).toMatchObject({ ttlMs: 1_000 })
    expect(await ask('lasting.example')).toMatchObject({ ttlMs: 300_000 })
  })

  it('tells a host that does not exist from one that could not be asked for', async () => {
    expect(await ask('nobody.example')).toEqual({ addresses: [], ttlMs: 5_000 })
    expect(await ask('here.example')).toEqual({ addresses: [], ttlMs: 5_000 })
    expect(await ask(`${'x'.repeat(64)}.example`)).toEqual({ addresses: [], ttlMs: 5_000 })
    await expect(ask('failed.example')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  })

  it('asks a silent server again, and gives up', async () => {
    await expect(asking({ timeoutMs: 20 })('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    expect(server.questions.filter((question) => question === 'silent.example A')).toHaveLength(4)
  })

  it('waits for a name that takes a server long which is fast otherwise', async () => {
    const patient = asking({})
    for (let count = 0; count < 10; count += 1) await patient('both.example')
    const found = patient('slow.example')
    // By then c-ares would have given up after two tries, because it limits a try to a second, or less for a fast
    // server.
    await expect.poll(() => server.questions.filter((question) => question === 'slow.example A').length).toBe(3)
    slow.resolve([{ type: 'A', data: '192.0.2.8' }])
    expect(await found).toMatchObject({ addresses: ['192.0.2.8'] })
  })

  it('completes names by the search list, where it is to, past a domain that fails', async () => {
    expect(await asking({ searches: true })('service')).toMatchObject({ addresses: ['192.0.2.7'] })
    expect(await asking({ searches: true })('both.example')).toMatchObject({
      addresses: expect.arrayContaining(['192.0.2.1']),
    })
    expect(await asking({ searches: true })('service.')).toMatchObject({ addresses: [] })
    expect(await ask('service')).toMatchObject({ addresses: [] })
    await expect(asking({ searches: true })('service.one.local')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  })

  it('takes names of the hosts file from there, as it is now, and asks nobody', async () => {
    const before = server.questions.length
    const { hostsPath } = paths()
    const pinned = asking({ hostsPath })
    expect(await pinned('pinned.example')).toEqual({ addresses: ['192.0.2.100'], ttlMs: 1_000 })
    expect(await pinned('Both.Example.')).toMatchObject({ addresses: ['192.0.2.100'] })
    await writeFile(hostsPath, '192.0.2.101 pinned.example # moved\n')
    clock.forward(1_000)
    expect(await pinned('pinned.example')).toMatchObject({ addresses: ['192.0.2.101'] })
    expect(server.questions).toHaveLength(before)
  })

  it('knows localhost without a hosts file, and literals', async () => {
    const before = server.questions.length
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      expect(await ask(name)).toMatchObject({ addresses: ['127.0.0.1', '::1'] })
    }
    expect(await ask('192.0.2.9')).toEqual({ addresses: ['192.0.2.9'], ttlMs: 0 })
    expect(server.questions).toHaveLength(before)
  })
})
