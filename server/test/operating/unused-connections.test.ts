import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startTestGateway } from '#test/setup/gateway.ts'

it('a connection that was opened and never used does not hold up a gateway that stops', async () => {
  const gateway = await startTestGateway()
  // Node itself would close the connection after a minute.
  Object.assign(gateway.gateway.server.server, { headersTimeout: 0, requestTimeout: 0 })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await gateway.close()
  await closed
  expect(socket.bytesRead).toBe(0)
})
