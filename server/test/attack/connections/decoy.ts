import { createServer } from 'node:http'

/**
 * A server that rejects clients without a key, and reads and rejects all other requests. Flooding it costs the attacker
 * as much CPU as flooding a gateway, so the difference between the two is the gateway's own work.
 */
const server = createServer((request, response) => {
  const refuse = (): void => void response.writeHead(401, { connection: 'close' }).end()
  if (request.headers.authorization === undefined) refuse()
  else request.resume().on('end', refuse)
})
Object.assign(server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0, timeout: 0 })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') process.send?.({ url: `http://127.0.0.1:${address.port}` })
})
process.on('disconnect', () => process.exit())
