import { parseArgs } from 'node:util'
import { startControl } from './start-control.ts'
import { startSimulator } from './start-simulator.ts'

/**
 * A simulator in its own process, for drills and load tests: `node main.ts --port 0 [--control-port 0] [--tls]
 * [--no-record] [--scenario '{"kind":"fast","chunks":20}']`. Prints one line, `{"url":"…","control":"…"}`, and runs
 * until its control closes it or a signal ends it.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    tls: { type: 'boolean', default: false },
    'no-record': { type: 'boolean', default: false },
    scenario: { type: 'string', default: '{"kind":"echo"}' },
  },
})

const simulator = await startSimulator({
  port: Number(values.port),
  scenario: JSON.parse(values.scenario),
  record: !values['no-record'],
  ...(values.tls ? { tls: 'self-signed' as const } : {}),
})
const control = await startControl(simulator, Number(values['control-port']))
process.stdout.write(`${JSON.stringify({ url: simulator.url, control: control.url })}\n`)

// The parent may die without closing this process; the channel between them then breaks.
process.once('disconnect', () => process.exit())
process.channel?.unref()
