import { readFile } from 'node:fs/promises'
import { readResources } from '#test/drills/setup/process-resources.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Area, Attack } from '../area.ts'
import { costlyRequests, type CostlyRequest, plainRequest, silentRequests } from '../bodies/costly-requests.ts'
import { cpuMsOf } from '../setup/cpu-of.ts'
import { type Answer, send, sendJson } from '../setup/send.ts'

/**
 * CPU time of the process, not wall-clock time. A request that stalled a gateway took 2,400 ms; the most expensive
 * known request takes a third of the bound. The minimum of several repeats counts, because the garbage collector may
 * run in any of them.
 */
const cpuMsMax = 1_000
const repeats = 3
/** Unread responses once took 740 MB. Uncollected garbage is far less. */
const growthKbMax = 400_000
/** The requests of an ordinary client for comparison: a single one takes less than the kernel's clock resolution. */
const plainCount = 50

export const memoryCpu: Area = {
  name: 'memory-cpu',
  tries: 'the dearest requests to every test model, silent models by the hundred, and documents that no model reads',
  async run(attack) {
    const { world, report, isShort } = attack
    const gateway = await world.startGatewayWith({})
    const caller = await world.createClient({ usd: '1000' })
    const scene = { gateway, caller }
    for (let turn = 0; turn < plainCount; turn += 1) await ask(scene, plainRequest)
    const before = await cpuMsOf(gateway.pid)
    for (let turn = 0; turn < plainCount; turn += 1) await ask(scene, plainRequest)
    const plainMs = ((await cpuMsOf(gateway.pid)) - before) / plainCount
    const start = await readResources(gateway.pid)
    let dearest = { name: 'none', cpuMs: 0 }
    for (const each of costlyRequests.filter((_, index) => !isShort || index % 2 === 0)) {
      if (!report.attempt(each.name)) continue
      const cpuMs = await leastCpuMs(attack, scene, each)
      if (cpuMs > dearest.cpuMs) dearest = { name: each.name, cpuMs }
    }
    const { rssKb } = await readResources(gateway.pid)
    report.judge({
      label: 'memory after all of it',
      isRight: rssKb < start.rssKb + growthKbMax,
      expected: `at most ${growthKbMax} KB more than the ${start.rssKb} KB before`,
      got: `${rssKb} KB`,
    })
    await world.endGateway(gateway)
    const ratio = Math.round(dearest.cpuMs / Math.max(plainMs, 0.1))
    report.figure(`${dearest.cpuMs} ms of CPU at most (${dearest.name}), ${ratio} times a plain request`)
    report.figure(`memory went from ${start.rssKb} to ${rssKb} KB`)
    await trySilence(attack)
  },
}

const silentTimeoutMs = 3_000
const [silentFull, silentShort] = [400, 80]

/**
 * Many concurrent requests to silent models, at a gateway with short timeouts: their prompts stay in memory until then.
 */
async function trySilence({ world, report, isShort }: Attack): Promise<void> {
  const timeouts = ['FIRST_BYTE', 'ANSWER', 'IDLE'].map((name) => [`WEIR_UPSTREAM_${name}_TIMEOUT_MS`, silentTimeoutMs])
  const gateway = await world.startGatewayWith(
    Object.fromEntries(timeouts.map(([name, timeoutMs]) => [name, String(timeoutMs)])),
  )
  const scene = { gateway, caller: await world.createClient({ usd: '1000' }) }
  for (let turn = 0; turn < plainCount; turn += 1) await ask(scene, plainRequest)
  const before = { ...(await readResources(gateway.pid)), cpuMs: await cpuMsOf(gateway.pid) }
  const chosen = silentRequests.filter(({ name }) => report.attempt(name))
  if (chosen.length === 0) return world.endGateway(gateway)
  const count = isShort ? silentShort : silentFull
  const sent = Array.from({ length: count }, async (_, index) => {
    const request = chosen[index % chosen.length] ?? plainRequest
    return { request, answer: await ask(scene, request) }
  })
  const answers = await Promise.all(sent)
  const cpuMs = ((await cpuMsOf(gateway.pid)) - before.cpuMs) / count
  // The peak, so it includes the time when all of them waited.
  const growthKb = (await readPeakKb(gateway.pid)) - before.rssKb
  const wrong = answers.filter(({ request, answer }) => !isTimeout(request, answer))
  report.judge({
    label: `${count} requests to silent models: answers`,
    isRight: wrong.length === 0,
    expected: '504, or a stream that ends with it',
    got: `${wrong.length} others: ${wrong[0]?.answer.status} ${wrong[0]?.answer.text.slice(-300)}`,
  })
  report.judge({
    label: `${count} requests to silent models: CPU of each`,
    isRight: cpuMs <= cpuMsMax,
    expected: `at most ${cpuMsMax} ms`,
    got: `${cpuMs} ms`,
  })
  report.judge({
    label: `${count} requests to silent models: memory`,
    isRight: growthKb <= growthKbMax,
    expected: `at most ${growthKbMax} KB more`,
    got: `${growthKb} KB more`,
  })
  report.figure(`${count} silent requests: ${cpuMs.toFixed(0)} ms of CPU each, ${growthKb} KB more at most`)
  await world.endGateway(gateway)
}

function isTimeout({ body }: Pick<CostlyRequest, 'body'>, { status, text }: Answer): boolean {
  const isStream = 'stream' in body && body.stream === true
  return status === 504 || (isStream && status === 200 && /"code":\s*504/.test(text))
}

async function readPeakKb(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

interface Scene {
  readonly gateway: ServerProcess
  readonly caller: TestClient
}

async function leastCpuMs({ report }: Attack, scene: Scene, request: CostlyRequest): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < repeats; turn += 1) {
    const before = await cpuMsOf(scene.gateway.pid)
    const { status, text } = await ask(scene, request)
    least = Math.min(least, (await cpuMsOf(scene.gateway.pid)) - before)
    if (!request.statuses.includes(status)) {
      report.find({
        label: request.name,
        expected: request.statuses.join(' or '),
        got: `${status} ${text.slice(0, 300)}`,
      })
      return least
    }
  }
  report.judge({
    label: `${request.name}: CPU of one request`,
    isRight: least <= cpuMsMax,
    expected: `at most ${cpuMsMax} ms`,
    got: `${least} ms`,
  })
  return least
}

async function ask({ gateway, caller }: Scene, request: Pick<CostlyRequest, 'path' | 'body'>): Promise<Answer> {
  const url = `${gateway.url}${request.path}`
  const authorization = `Bearer ${caller.key}`
  const { body } = request
  if (!(body instanceof FormData)) return sendJson(url, { method: 'POST', headers: { authorization }, body })
  const form = new Response(body)
  const headers = { authorization, 'content-type': form.headers.get('content-type') ?? '' }
  return send(url, { method: 'POST', headers, body: Buffer.from(await form.arrayBuffer()) })
}
