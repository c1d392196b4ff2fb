import type { JsonObject } from '#lib/json.ts'
import { readResources } from '#test/drills/setup/process-resources.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { TestCaller } from '#test/setup/accounts.ts'
import type { Area, Attack } from '../area.ts'
import { costlyRequests, type CostlyRequest, plainRequest } from '../bodies/costly-requests.ts'
import { cpuMsOf } from '../setup/cpu-of.ts'
import { type Answer, sendJson } from '../setup/send.ts'

/**
 * CPU time of the process, and not of a clock. A request that stalled a gateway took 2,400 ms; the dearest that is known takes a third of
 * the bound. The least of some repeats counts, because the collector may run in any of them.
 */
const cpuMsMax = 1_000
const repeats = 3
/** Unread answers took 740 MB once. What a collector leaves lying around is far less. */
const growthKbMax = 400_000
/** The requests of a plain client, to compare with: one alone takes less than the clock of the kernel counts. */
const plainCount = 50

export const memoryCpu: Area = {
  name: 'memory-cpu',
  tries: 'the dearest requests to every test model, and documents that no model reads',
  async run(attack) {
    const { world, report, isShort } = attack
    const gateway = await world.startGatewayWith({})
    const caller = await world.createCaller({ usd: '1000' })
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
  },
}

interface Scene {
  readonly gateway: ServerProcess
  readonly caller: TestCaller
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

function ask({ gateway, caller }: Scene, { path, body }: { path: string; body: JsonObject }): Promise<Answer> {
  const headers = { authorization: `Bearer ${caller.key}` }
  return sendJson(`${gateway.url}${path}`, { method: 'POST', headers, body })
}
