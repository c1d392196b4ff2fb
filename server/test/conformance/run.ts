import { parseArgs } from 'node:util'
import { startServerProcess } from '#test/drills/setup/server-process.ts'
import { startTestGateway, testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { clientPrograms, clientsFolder, commandLineFolder, commandLinePrograms } from './client-programs.ts'
import { installLocked } from '../../../tools/lib/install-locked.ts'
import { startOffline } from './offline.ts'
import { type CaseResult, runClient } from './run-client.ts'
import { examplesFolder, runExamples } from './run-examples.ts'
import { startUpstreams } from './start-upstreams.ts'

// `npm run conformance` runs the libraries against a real gateway, and with `-- --all` the command-line clients too;
// `-- --only codex` runs those whose name contains that word. The programs of `examples` count as one client.
const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
})
const programs = [...clientPrograms, ...(values.all ? commandLinePrograms : [])]
await installLocked(clientsFolder)
await installLocked(examplesFolder)
if (values.all) await installLocked(commandLineFolder)

const gateway = await startTestGateway({
  // Every client breaks the same upstream's stream, and none may find its circuit open.
  WEIR_BREAKER_FAILURES: '1000',
  // By default the AI SDK references items of earlier responses.
  WEIR_RESPONSES_ITEM_RETENTION_MS: '3600000',
  WEIR_RESPONSES_RETENTION_MS: '3600000',
  // An example receives a webhook when its video is done.
  WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
})
const upstreams = await startUpstreams(gateway)
const funded = await gateway.createClient()
const empty = await gateway.createClient({ usd: '0' })
const offline = await startOffline([gateway.url, ...Object.values(upstreams.claudeControlUrls)])
if (offline === null) console.log('No network namespaces here: the clients can reach the internet.')
const surroundings = {
  WEIR_URL: gateway.url,
  WEIR_KEY: funded.key,
  WEIR_EMPTY_KEY: empty.key,
  WEIR_CALLING_CLAUDE: upstreams.claudeControlUrls.calling,
  WEIR_TALKING_CLAUDE: upstreams.claudeControlUrls.talking,
}

let passed = 0
let failed = 0
for (const program of programs.filter(({ name }) => name.includes(values.only))) {
  report(program.name, await runClient(program, surroundings, offline))
}
if ('examples'.includes(values.only)) report('examples', await runAllExamples())

await offline?.close()
await gateway.close()
await upstreams.close()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function report(name: string, results: readonly CaseResult[]): void {
  for (const result of results) {
    if (result.passed) passed += 1
    else failed += 1
    console.log(`${result.passed ? 'passed' : 'FAILED'}  ${name.padEnd(26)}  ${result.name}`)
    if (result.message !== null) console.log(result.message.replace(/^/gm, '          '))
  }
}

/** Runs the examples with a worker, which generates videos and sends webhooks, and with keys of one account. */
async function runAllExamples(): Promise<CaseResult[]> {
  const { key, userId } = await gateway.createClient()
  const manager = await gateway.addKey(userId, { type: 'management' })
  const worker = await startServerProcess({
    command: 'worker',
    dataFolder: gateway.dataDir,
    env: {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: gateway.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_HTTP_PUBLIC_URL: gateway.url,
      WEIR_WORKER_PORT: '0',
      WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEIR_VIDEO_POLL_EVERY_MS: '50',
      WEIR_VIDEO_LOOK_EVERY_MS: '50',
    },
  })
  const results = await runExamples({ WEIR_URL: gateway.url, WEIR_KEY: key, WEIR_MANAGEMENT_KEY: manager.key })
  await worker.terminate()
  return results
}
