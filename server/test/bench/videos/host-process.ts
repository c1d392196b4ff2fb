import { createServer } from 'node:http'

/**
 * A video provider whose jobs never end, in its own process: it sends its port once it listens, and on any message a
 * report of the requests since the last report.
 */
export interface HostReport {
  readonly polls: number
  readonly jobs: number
  /** The time between two polls of the same job, or null if no job was polled twice. */
  readonly shortestGapMs: number | null
}

const lastAtMs = new Map<string, number>()
let polled = new Set<string>()
let polls = 0
let shortestGapMs: number | null = null

const server = createServer((request, response) => {
  const id = request.url?.split('/').at(-1) ?? ''
  const nowMs = performance.now()
  const before = lastAtMs.get(id)
  if (before !== undefined) shortestGapMs = Math.min(shortestGapMs ?? Number.POSITIVE_INFINITY, nowMs - before)
  lastAtMs.set(id, nowMs)
  polled.add(id)
  polls += 1
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id, state: 'processing', output: [], failure_reason: null, failure_code: null }))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
})

process.on('message', () => {
  const report: HostReport = { polls, jobs: polled.size, shortestGapMs }
  process.send?.(report)
  polled = new Set()
  polls = 0
  shortestGapMs = null
})
process.once('disconnect', () => process.exit())
