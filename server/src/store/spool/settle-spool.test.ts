import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { SettleEntry } from '#ports/money.ts'
import { createSettleSpool, processTag, type SettleSpool } from './settle-spool.ts'
import { parseSpoolLine, spoolLine } from './spool-line.ts'

class Refusal extends Error {}

describe('the spool', () => {
  let folder: string
  let settled: string[]
  let rejected: string[]
  let isAway: boolean
  let poison: string | null
  let spool: SettleSpool

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-spool-'))
    settled = []
    rejected = []
    isAway = false
    poison = null
    spool = open()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  function open(): SettleSpool {
    return createSettleSpool({
      folder,
      settle: async (entries) => {
        if (isAway) throw new Error('Postgres is away')
        const ids = entries.map(({ record }) => record.id)
        if (poison !== null && ids.includes(poison)) throw new Refusal('out of range')
        settled.push(...ids)
      },
      isFinal: (error) => error instanceof Refusal,
      onRejected: (line) => rejected.push(line),
    })
  }

  const files = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name !== 'rejected.ndjson')

  it('keeps an entry exactly, in a file, before its client hears of it', async () => {
    const entry = entryOf({ cost: nanoUsd(9_007_199_254_740_993n) })
    await spool.append(entry)
    const [name = ''] = await files()
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line !== '')
    expect(lines.map(parseSpoolLine)).toEqual([entry])
    expect(spool.waiting).toBe(1)
  })

  it('[P12] replays what is waiting once, when Postgres is back', async () => {
    const entries = [entryOf(), entryOf(), entryOf()]
    await Promise.all(entries.map((entry) => spool.append(entry)))
    isAway = true
    await expect(spool.replay()).rejects.toThrow('away')
    await expect(spool.replay()).rejects.toThrow('away')
    expect(spool.waiting).toBe(3)
    isAway = false
    expect(await spool.replay()).toBe(3)
    expect(await spool.replay()).toBe(0)
    expect(settled).toEqual(idsOf(entries))
    expect(spool.waiting).toBe(0)
    expect(await files()).toEqual([])
  })

  it('[P12] loses nothing that is appended while a replay runs', async () => {
    // Large entries, so that a replay happens while one is being written.
    const entries = Array.from({ length: 90 }, () => entryOf({ appName: 'x'.repeat(1_500_000) }))
    const lines = [0, 1, 2].map(async (line) => {
      for (const entry of entries.filter((_, position) => position % 3 === line)) await spool.append(entry)
    })
    const appending = new AbortController()
    const replays = (async () => {
      while (!appending.signal.aborted) await spool.replay()
    })()
    await Promise.all(lines)
    appending.abort()
    await replays
    await spool.replay()
    expect(settled.toSorted()).toEqual(idsOf(entries).toSorted())
  })

  it('takes over what a dead process left, half replayed or not', async () => {
    const [live, half] = [entryOf(), entryOf()]
    await writeFile(join(folder, 'live-999999-1.ndjson'), spoolLine(live))
    await writeFile(join(folder, 'replaying-999998-1-77.ndjson'), spoolLine(half))
    expect(await spool.replay()).toBe(2)
    expect(settled.toSorted()).toEqual(idsOf([live, half]).toSorted())
  })

  it('leaves alone what a living process is writing', async () => {
    const other = `live-1-${await startOfInit()}.ndjson`
    await writeFile(join(folder, other), spoolLine(entryOf()))
    expect(await spool.replay()).toBe(0)
    expect(await files()).toEqual([other])
  })

  it('loses nothing to a container that shares the folder and takes this process for dead', async () => {
    const taken = new Set<string>()
    // The thief takes the file at most three times per line, at any time: before, while or after the line is written.
    const thief = { takes: 0, isOver: false }
    const take = async (): Promise<void> => {
      const path = join(folder, `taken-${randomUUID()}`)
      await rename(join(folder, `live-${processTag()}.ndjson`), path)
      thief.takes += 1
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      await unlink(path)
      for (const line of lines) taken.add(parseSpoolLine(line)?.record.id ?? '')
    }
    const stealing = (async () => {
      while (!thief.isOver)
        await (thief.takes < 3 ? take().catch(() => {}) : new Promise((resolve) => setImmediate(resolve)))
    })()
    const entries = Array.from({ length: 300 }, () => entryOf())
    for (const entry of entries) {
      thief.takes = 0
      await spool.append(entry)
    }
    thief.isOver = true
    await stealing
    await spool.replay()
    const kept = new Set([...taken, ...settled])
    expect(entries.filter(({ record }) => !kept.has(record.id))).toEqual([])
  })

  it('passes over a torn last line, and the line after it is whole', async () => {
    const whole = entryOf()
    const torn = spoolLine(entryOf()).slice(0, 200)
    const [first, last] = [entryOf(), entryOf()]
    await spool.append(first)
    await appendFile(join(folder, `live-${processTag()}.ndjson`), torn)
    await spool.append(last)
    await spool.replay()
    expect(settled).toEqual(idsOf([first, last]))
    expect(rejected).toEqual([torn])
    expect(parseSpoolLine(spoolLine(whole))).toEqual(whole)
  })

  it.each(['123', 'null', '{}', '{"record":{}}', '{"record":{"id":"x"},"windows":[]}'])(
    'sets aside a line that is no settle, and goes on: %s',
    async (line) => {
      const good = entryOf()
      await writeFile(join(folder, 'live-999999-1.ndjson'), `${line}\n${spoolLine(good)}`)
      await spool.replay()
      expect(settled).toEqual(idsOf([good]))
      expect(rejected).toEqual([line])
    },
  )

  it('keeps a line that Postgres refuses for good for a person, and settles the others', async () => {
    const entries = [entryOf(), entryOf(), entryOf()]
    poison = entries[1]?.record.id ?? null
    for (const entry of entries) await spool.append(entry)
    await spool.replay()
    expect(settled).toEqual([entries[0]?.record.id, entries[2]?.record.id])
    const kept = await readFile(join(folder, 'rejected.ndjson'), 'utf8')
    expect(parseSpoolLine(kept.trim())).toEqual(entries[1])
    expect(await files()).toEqual([])
  })

  it('tells its client when not even the disk takes it', async () => {
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file where the folder should be')
    await expect(spool.append(entryOf())).rejects.toThrow()
    expect(spool.waiting).toBe(0)
  })
})

function idsOf(entries: readonly SettleEntry[]): string[] {
  return entries.map(({ record }) => record.id)
}

async function startOfInit(): Promise<string> {
  const stat = await readFile('/proc/1/stat', 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function entryOf(change: Partial<GenerationRecord> = {}): SettleEntry {
  const id = newUuid(Date.now())
  const record: GenerationRecord = {
    id,
    walletId: id,
    keyId: id,
    userId: null,
    organizationId: null,
    memberId: null,
    teamId: null,
    sessionId: null,
    appName: 'Ünïcode "quoted"\n',
    endpoint: 'chat',
    model: 'maker/model',
    provider: 'openai',
    upstreamModel: 'model',
    upstreamStatus: 200,
    finishReason: 'stop',
    nativeFinishReason: null,
    streamed: true,
    cancelled: false,
    isByok: false,
    isFailover: false,
    startedAtMs: 1,
    firstTokenMs: null,
    durationMs: 1,
    usage: { ...noUsage, textOutput: 3 },
    held: zeroUsd,
    cost: nanoUsd(5n),
    cacheDiscount: zeroUsd,
    priceId: null,
    refundReason: null,
    routing: null,
    attempts: [],
    ...change,
  }
  return { record, windows: [{ kind: 'key_day', ownerId: id, startsAtMs: 0, limit: nanoUsd(7n) }] }
}
