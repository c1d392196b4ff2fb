import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import type { Attack } from '../area.ts'
import { startDecoy, startFlooder } from './start-flooder.ts'
import type { FloodField } from './try-flood.ts'

const model = 'openai/gpt-4o-mini'

/**
 * Starts a gateway to flood, a tenant whose upstream has a host name and takes a new connection per request, and the
 * attacker.
 */
export async function openFloodField({ world }: Attack): Promise<FloodField & { close(): Promise<void> }> {
  const upstream = await world.startSimulator({ record: false, scenario: closing })
  const { port } = new URL(upstream.url)
  const url = `http://upstream-tenant.dns.example:${port}/v1`
  await world.addProvider({ vendor: 'openai', url, pattern: model, name: `tenant-${port}` })
  const [gateway, decoy] = await Promise.all([world.startGatewayWith({}), startDecoy()])
  const flooder = startFlooder()
  const [tenant, attacker] = await Promise.all([
    world.createClient({ usd: '1000' }),
    world.createClient({ usd: '1000' }),
  ])
  world.noteUnseen(tenant.keyId)
  world.noteUnseen(attacker.keyId)
  return {
    flooder,
    decoyUrl: decoy.url,
    gatewayUrl: gateway.url,
    gatewayPid: gateway.pid,
    tenant: { key: tenant.key, model },
    attackerKey: attacker.key,
    close: async () => {
      flooder.end()
      decoy.end()
      await world.endGateway(gateway)
    },
  }
}

const closing = jsonAnswer(
  200,
  {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  },
  { connection: 'close' },
)
