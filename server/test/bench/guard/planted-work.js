// Loaded before a gateway by `npm run bench -- guard --planted MICROSECONDS`: each request keeps its process busy for
// that long.
import { Server } from 'node:http'

const plantedMs = Number(process.env.WEIR_TEST_PLANTED_US) / 1_000
const { emit } = Server.prototype

Server.prototype.emit = function emitAfterWork(name, ...values) {
  if (name === 'request') {
    const untilMs = performance.now() + plantedMs
    while (performance.now() < untilMs);
  }
  return Reflect.apply(emit, this, [name, ...values])
}
