import { createServer, type Socket } from 'node:net'
import {
  burstChunks,
  heldClosing,
  heldDrip,
  heldOpening,
  jsonAnswer,
  longChunks,
  marker,
  modes,
  streamEnd,
  streamHead,
} from './mock-answers.ts'
import { messagesBurstChunks, messagesStreamEnd, messagesStreamHead } from './mock-messages-answers.ts'
import { createRequestFramer } from './request-framer.ts'

/**
 * An upstream that costs next to nothing. It frames requests on the bare socket, because the mock shares its core with
 * the load: Node's own HTTP server would take about 30 µs of each request and dominate the result.
 */
const heldSockets = new Set<Socket>()

const server = createServer({ noDelay: true }, (socket) => {
  const framer = createRequestFramer((request) => answer(socket, request))
  socket.on('data', framer)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => heldSockets.delete(socket))
})

function answer(socket: Socket, request: Buffer): void {
  const at = request.indexOf(marker)
  const mode = at === -1 ? '' : String.fromCharCode(request[at + marker.length] ?? 0)
  if (mode === modes.burst && isMessages(request)) return burstMessages(socket)
  if (mode === modes.burst) return burst(socket, burstChunks)
  if (mode === modes.long) return burst(socket, longChunks)
  if (mode === modes.held) return hold(socket)
  socket.write(jsonAnswer)
}

/** As fast as possible, but with one write per event, like an upstream that generates between them. */
function burst(socket: Socket, chunks: readonly Buffer[]): void {
  socket.write(streamHead)
  for (const chunk of chunks) socket.write(chunk)
  socket.write(streamEnd)
}

function burstMessages(socket: Socket): void {
  socket.write(messagesStreamHead)
  for (const chunk of messagesBurstChunks) socket.write(chunk)
  socket.write(messagesStreamEnd)
}

const messagesRequestLine = 'POST /v1/messages '

// Only the path decides the format of the response: translators to Anthropic use its path.
function isMessages(request: Buffer): boolean {
  return request.toString('latin1', 0, messagesRequestLine.length) === messagesRequestLine
}

function hold(socket: Socket): void {
  heldSockets.add(socket)
  socket.write(streamHead)
  socket.write(heldOpening)
}

// 5 s is often enough that no idle timeout fires, and rare enough that 2,000 streams stay quiet.
setInterval(() => {
  for (const socket of heldSockets) socket.write(heldDrip)
}, 5_000).unref()

process.on('message', (message) => {
  if (message !== 'finish-held') return
  for (const socket of heldSockets) socket.write(heldClosing)
  heldSockets.clear()
})
process.on('disconnect', () => process.exit())

server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
