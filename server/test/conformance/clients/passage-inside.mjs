import { once } from 'node:events'
import { connect, createServer } from 'node:net'

// Loaded before a client in an isolated network: its connections to these local ports arrive outside.
for (const { port, path } of JSON.parse(process.env.WEIR_PASSAGES)) {
  const server = createServer((inner) => relay(inner, connect(path)))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
}

function relay(inner, outer) {
  inner.pipe(outer).pipe(inner)
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ]) {
    // A client's process ends with its last case, not with the last idle connection.
    one.unref()
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}
