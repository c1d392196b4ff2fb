import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startTestGateway } from '#test/setup/gateway.ts'

it('a connection that was opened and never used does not hold up a gateway that stops', async () => {
  const gateway = await startTestGateway()
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  const startedAtMs = performance.now()
  await gateway.close()
  await closed
  // Node itself would close it after a minute.
  expect(performance.now() - startedAtMs).toBeLessThan(20_000)
})
