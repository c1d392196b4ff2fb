import { parseArgs } from 'node:util'
import { startTestGateway } from '#test/setup/gateway.ts'
import { clientPrograms, clientsFolder, commandLineFolder, commandLinePrograms } from './client-programs.ts'
import { installLocked } from '../../../tools/lib/install-locked.ts'
import { startOffline } from './offline.ts'
import { runClient } from './run-client.ts'
import { startUpstreams } from './start-upstreams.ts'

// `npm run conformance` runs the libraries against a real gateway, and with `-- --all` the command-line clients as well;
// `-- --only codex` those whose name holds that word.
const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
})
const programs = [...clientPrograms, ...(values.all ? commandLinePrograms : [])]
await installLocked(clientsFolder)
if (values.all) await installLocked(commandLineFolder)

const gateway = await startTestGateway({
  // Every client breaks the same upstream's stream in its turn, and none of them is to find it isolated.
  WEIR_BREAKER_FAILURES: '1000',
})
const upstreams = await startUpstreams(gateway)
const funded = await gateway.createCaller()
const empty = await gateway.createCaller({ usd: '0' })
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
  for (const result of await runClient(program, surroundings, offline)) {
    if (result.passed) passed += 1
    else failed += 1
    console.log(`${result.passed ? 'passed' : 'FAILED'}  ${program.name.padEnd(26)}  ${result.name}`)
    if (result.message !== null) console.log(result.message.replace(/^/gm, '          '))
  }
}

await offline?.close()
await gateway.close()
await upstreams.close()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
