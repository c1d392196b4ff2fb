import { parseArgs } from 'node:util'
import { startTestGateway } from '#test/setup/gateway.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'
import { clientPrograms } from './client-programs.ts'
import { installClients } from './install-clients.ts'
import { runClient } from './run-client.ts'

// `npm run conformance` runs the light clients against a real gateway, and with `-- --all` the heavy ones as well.
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
await installClients()

const vendor = await startSimulator()
const gateway = await startTestGateway()
await gateway.addProvider({ vendor: 'openai', url: `${vendor.url}/v1`, pattern: 'openai/*' })
const funded = await gateway.createCaller()
const empty = await gateway.createCaller({ usd: '0' })

let passed = 0
let failed = 0
for (const program of clientPrograms.filter(({ isHeavy }) => values.all || !isHeavy)) {
  const surroundings = { WEIR_URL: gateway.url, WEIR_KEY: funded.key, WEIR_EMPTY_KEY: empty.key }
  for (const result of await runClient(program, surroundings)) {
    if (result.passed) passed += 1
    else failed += 1
    console.log(`${result.passed ? 'passed' : 'FAILED'}  ${program.name.padEnd(30)}  ${result.name}`)
    if (result.message !== null) console.log(result.message.replace(/^/gm, '          '))
  }
}

await gateway.close()
await vendor.close()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
