import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ProcessAnswer } from '#control/standing/judge-status.ts'
import { parseJsonObject } from '#lib/json.ts'
import type { Place } from '../listen-on.ts'
import { sumOfSeries } from './sum-of-series.ts'

const answerWithinMs = 3_000

/** Asks a process for its state. Returns null if nothing at this address responds as Weir does. */
export async function askProcess({ host, port }: Pick<Place, 'host' | 'port'>): Promise<ProcessAnswer | null> {
  const place = `${dialled(host)}:${port}`
  const ready = await ask(`http://${place}/ready`)
  const readiness = ready === null ? undefined : parseJsonObject(ready)
  if (readiness === undefined || !Array.isArray(readiness['missing'])) return null
  const metrics = (await ask(`http://${place}/metrics`)) ?? ''
  return {
    place,
    missing: wordsOf(readiness['missing']),
    degraded: wordsOf(readiness['degraded']),
    figure: (name) => sumOfSeries(metrics, name),
  }
}

/** Processes that share a port have consecutive operating ports. */
export async function askProcesses(first: Pick<Place, 'host' | 'port'>): Promise<ProcessAnswer[]> {
  const answers: ProcessAnswer[] = []
  for (let port = first.port; port > 0 && port < first.port + processesMax; port += 1) {
    const answer = await askProcess({ host: first.host, port })
    if (answer === null) return answers
    answers.push(answer)
  }
  return answers
}

const processesMax = 64

/** A process that listens on all addresses is asked on localhost. */
function dialled(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function ask(url: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: answerWithinMs, agent: false }, (response) => {
      text(response).then(resolve, () => resolve(null))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(null))
  })
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
}
