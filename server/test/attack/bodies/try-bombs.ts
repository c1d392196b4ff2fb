import { median } from '#test/drills/setup/median.ts'
import type { Attack } from '../area.ts'
import { cpuMsOf } from '../setup/cpu-of.ts'
import { send } from '../setup/send.ts'

/** A body just below 10 MB that is cheap to write and was expensive to read. */
interface Bomb {
  readonly name: string
  readonly path: string
  /** Sent without a credential. */
  readonly isOpen?: true
  readonly statuses: readonly number[]
  readonly body: () => string
}

const bytes = 9_800_000
// The highest allowed CPU time, relative to parsing and rejecting a plain body of the same size.
const factorMax = 4
// The median counts, so that garbage collection makes no difference.
const rounds = 5
const ones = (count: number): string => Array(count).fill(1).join(',')
const chat = '"model":"test/echo","max_tokens":16'
const hello = '{"role":"user","content":"Hi"}'

const bombs: readonly Bomb[] = [
  {
    name: '[B1] numbers behind `__proto__`, to ask for a code',
    path: '/api/edu/request-code',
    isOpen: true,
    statuses: [413],
    body: () => `{"__proto__":1,"key":"sk-edu-x","email":"a@b.c","x":[${ones(4_850_000)}]}`,
  },
  {
    name: '[B1] numbers behind `__proto__`, to verify one',
    path: '/api/edu/verify',
    isOpen: true,
    statuses: [413],
    body: () => `{"__proto__":1,"key":"sk-edu-x","email":"a@b.c","code":"1","x":[${ones(4_850_000)}]}`,
  },
  {
    name: '[B1] numbers behind `__proto__`, in a chat',
    path: '/v1/chat/completions',
    statuses: [200, 400, 413],
    body: () => `{"__proto__":1,${chat},"messages":[${hello}],"x":[${ones(4_850_000)}]}`,
  },
  {
    name: '[B1] numbers behind `__proto__`, to count tokens',
    path: '/v1/messages/count_tokens',
    statuses: [200, 400, 413],
    body: () => `{"__proto__":1,${chat},"messages":[${hello}],"x":[${ones(4_850_000)}]}`,
  },
  {
    name: '[B12] four million token ids to embed',
    path: '/v1/embeddings',
    statuses: [400, 413],
    body: () => `{"model":"openai/text-embedding-3-small","input":[${ones(4_850_000)}]}`,
  },
  {
    name: '[B12] 600,000 names in one object',
    path: '/v1/chat/completions',
    statuses: [200, 400, 413],
    body: () =>
      `{${chat},"messages":[${hello}],"x":{${Array.from({ length: 600_000 }, (_, at) => `"key${at}":1`).join(',')}}}`,
  },
  {
    name: '[B12] 200,000 messages with `__proto__`',
    path: '/v1/chat/completions',
    statuses: [200, 400, 413],
    body: () =>
      `{${chat},"messages":[${Array(200_000).fill('{"role":"user","content":"Hi","__proto__":1}').join(',')}]}`,
  },
  {
    name: '[B12] 90,000 messages to take the middle out of',
    path: '/v1/chat/completions',
    statuses: [200, 400, 413],
    body: () =>
      `{${chat},"transforms":["middle-out"],"messages":[${Array(90_000).fill('{"role":"user","content":"Hello there"}').join(',')}]}`,
  },
  {
    name: '[B12] 30,000 tool calls with results',
    path: '/v1/chat/completions',
    statuses: [200, 400, 413],
    body: () => `{${chat},"messages":[${hello},${toolCalls(30_000)}]}`,
  },
  {
    name: 'a body of 11 MB',
    path: '/v1/chat/completions',
    statuses: [413],
    body: () => `{${chat},"messages":[{"role":"user","content":"${'x'.repeat(11_000_000)}"}]}`,
  },
]

function toolCalls(count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const call = `{"id":"c${at}","type":"function","function":{"name":"f","arguments":"{}"}}`
    return `{"role":"assistant","content":null,"tool_calls":[${call}]},{"role":"tool","tool_call_id":"c${at}","content":"ok"}`
  }).join(',')
}

/** Compares the CPU time of each bomb with that of a plain body of the same size. */
export async function tryBombs({ world, report }: Attack): Promise<void> {
  const gateway = world.nextGateway()
  const { key, keyId } = await world.createClient()
  world.noteUnseen(keyId)
  const cost = async ({ path, isOpen }: Pick<Bomb, 'path' | 'isOpen'>, body: string) => {
    const headers = { 'content-type': 'application/json', ...(isOpen ? {} : { authorization: `Bearer ${key}` }) }
    const before = await cpuMsOf(gateway.pid)
    const { status, text } = await send(gateway.url + path, { method: 'POST', headers, body })
    return { status, text, cpuMs: (await cpuMsOf(gateway.pid)) - before }
  }
  const plain = `{${chat},"messages":[{"role":"user","content":"${'word '.repeat(bytes / 5)}"}]}`
  const plainCosts: number[] = []
  for (let round = 0; round < rounds; round += 1)
    plainCosts.push((await cost({ path: '/v1/chat/completions' }, plain)).cpuMs)
  const plainMs = Math.max(20, median(plainCosts))
  for (const bomb of bombs) {
    if (!report.attempt(bomb.name)) continue
    const body = bomb.body()
    const costs: number[] = []
    let wrong: string | null = null
    for (let round = 0; round < rounds; round += 1) {
      const { status, text, cpuMs } = await cost(bomb, body)
      costs.push(cpuMs)
      // A body rejected before it is read may see a closed connection instead of a response.
      const isRight = bomb.statuses.includes(status) || (status === 0 && bomb.statuses.includes(413))
      if (!isRight) wrong = `${status} ${text.slice(0, 200)}`
    }
    if (wrong !== null) report.find({ label: bomb.name, expected: bomb.statuses.join(' or '), got: wrong })
    const factor = median(costs) / plainMs
    report.judge({
      label: bomb.name,
      isRight: factor <= factorMax,
      expected: `at most ${factorMax} times the CPU time of a plain body (${plainMs} ms)`,
      got: `${median(costs)} ms`,
      request: `POST ${bomb.path} ${body.slice(0, 120)}… (${body.length} bytes)`,
    })
    report.figure(`${bomb.name}: ${factor.toFixed(1)} × plain`)
  }
}
