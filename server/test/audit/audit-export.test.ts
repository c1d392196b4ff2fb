import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { append, tamper } from './audit-world.ts'

describe('GET /api/orgs/:orgId/audit-log/export', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  async function newLog() {
    const { id } = await gateway.createOrganization()
    const { userId } = await gateway.addMember(id, { role: 'org_admin' })
    const { key } = await gateway.addKey(userId, { type: 'management' })
    const url = `${gateway.url}/api/orgs/${id}/audit-log/export`
    const headers = { authorization: `Bearer ${key}` }
    return { id, url, headers, read: (query: string) => createClient(url, key).get(query) }
  }

  /** Appends this many entries of about 5 KB each; their hashes do not matter here. */
  async function fill(chainId: string, count: number): Promise<void> {
    await gateway.pool.query(
      `INSERT INTO audit_entries (chain_id, sequence, id, at, actor_kind, action, details, previous_hash, hash)
       SELECT $1, s, gen_random_uuid(), now(), 'system', 'org.update', jsonb_build_object('filler', repeat('x', 5000)), '', ''
       FROM generate_series(1, $2::int) AS s`,
      [chainId, count],
    )
  }

  it('gives every entry as a line of JSON, newest first', async () => {
    const log = await newLog()
    await fill(log.id, 1_203)
    const response = await log.read('')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.ndjson"$/,
    )
    expect(response.headers.get('x-request-id')).toMatch(/./)
    const lines = response.text.trimEnd().split('\n')
    const sequences = lines.map((line) => Number(JSON.parse(line).sequence))
    expect(sequences).toEqual(Array.from({ length: 1_203 }, (_, at) => 1_203 - at))
  })

  it('gives CSV that no spreadsheet program takes for formulas', async () => {
    const log = await newLog()
    await append(gateway.pool, log.id, {
      actor: { kind: 'key', id: '=cmd|calc', name: '@SUM(1+1)' },
      target: { kind: 'key', id: '+1' },
      requestId: '-1',
      before: { name: 'say "hi",\nplease' },
    })
    const response = await log.read('?format=csv')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const { bytes } = response
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [heading, line] = bytes.subarray(3).toString('utf8').split('\r\n')
    expect(heading).toBe(
      'sequence,id,at,actor_kind,actor_id,actor_name,action,target_kind,target_id,before,after,details,request_id,hash',
    )
    expect(line).toMatch(
      /^1,[0-9a-f-]{36},\S+Z,key,"'=cmd\|calc","'@SUM\(1\+1\)",org\.update,key,"'\+1","\{""name"":""say \\""hi\\"",\\nplease""\}","\{""name"":""New""\}",,"'-1",[0-9a-f]{64}$/,
    )
  })

  it('filters as the list does, and gives an empty log its heading', async () => {
    const log = await newLog()
    expect((await log.read('')).text).toBe('')
    expect((await log.read('?format=csv')).text).toMatch(/^sequence,.*,hash\r\n$/)
    await append(gateway.pool, log.id)
    await append(gateway.pool, log.id, { action: 'key.create' })
    expect((await log.read('?action=key.')).text.split('\n')).toHaveLength(2)
    expect((await log.read('?format=xml')).status).toBe(400)
  })

  it('makes no more than its caller takes, so that a log of any length fits into memory', async () => {
    const log = await newLog()
    await fill(log.id, 20_000)
    const response = await open(log)
    await untilNothingIsRead()
    // Entries that were not read yet cannot arrive any more.
    await tamper(gateway.pool, ['DELETE FROM audit_entries WHERE chain_id = $1', [log.id]])
    let bytes = 0
    response.on('data', (chunk: Buffer) => void (bytes += chunk.length))
    await once(response, 'end')
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(30_000_000)
  })

  /** Waits until the gateway has read no entries for a while. */
  async function untilNothingIsRead(): Promise<void> {
    for (let quiet = 0; quiet < 40; ) {
      const { rowCount } = await gateway.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'weir'
           AND query LIKE '%FROM audit_entries%' AND (state = 'active' OR state_change > now() - interval '300 ms')`,
      )
      quiet = rowCount === 0 ? quiet + 1 : 0
    }
  }

  it('goes on serving after a caller has left in the middle', async () => {
    const log = await newLog()
    await fill(log.id, 4_000)
    const response = await open(log)
    response.destroy()
    await once(response, 'close')
    expect((await log.read('?action=key.')).status).toBe(200)
  })

  it('breaks the connection where the store fails in the middle, and says so in the log', async () => {
    const log = await newLog()
    await fill(log.id, 20_000)
    const response = await open(log)
    await untilNothingIsRead()
    await gateway.pool.query('ALTER TABLE audit_entries RENAME TO audit_entries_away')
    try {
      response.resume()
      await expect(once(response, 'end')).rejects.toThrow('aborted')
      const lines = gateway.logLines.filter((line) => line.includes('audit-log/export'))
      expect(lines.at(-1)).toContain('"error":"internal"')
    } finally {
      await gateway.pool.query('ALTER TABLE audit_entries_away RENAME TO audit_entries')
    }
  })
})

function open({ url, headers }: { url: string; headers: Record<string, string> }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { headers }, resolve).on('error', reject))
}
