import { createServer } from 'node:http'

/**
 * A server that takes every connection, reads whatever is sent and refuses it. A flood of it costs the attacker as much of the
 * machine as a flood of a gateway, so the difference between the two is what the gateway itself does with it.
 */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(401).end())
})
Object.assign(server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0, timeout: 0 })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') process.send?.({ url: `http://127.0.0.1:${address.port}` })
})
process.on('disconnect', () => process.exit())
