import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Gates } from './gates.ts'
import type { RecordedRequest } from './request-log.ts'
import type { ShapedStep } from './shape-steps.ts'

interface Playing {
  steps: ShapedStep[]
  response: ServerResponse
  gates: Gates
  /** Aborts when either side has closed the connection. */
  signal: AbortSignal
  /** Called before the simulator itself breaks the connection, so that this does not count as the peer's abort. */
  willBreak(): void
  /** Receives the end times of waits. */
  recorded: Pick<RecordedRequest, 'waitedUntilMs'>
}

/** Plays the steps on one response and returns when they are over or the connection is gone. */
export async function playSteps(playing: Playing): Promise<void> {
  for (const step of playing.steps) {
    if (playing.signal.aborted) return
    await playStep(step, playing)
  }
}

async function playStep(step: ShapedStep, { response, gates, signal, willBreak, recorded }: Playing): Promise<void> {
  switch (step.do) {
    case 'head':
      response.writeHead(step.status, step.headers)
      // A body may come much later, so the head is sent now, as from a vendor's streaming server.
      response.flushHeaders()
      return
    case 'body':
      return writeBytes(response, step.bytes)
    case 'raw':
      await new Promise<void>((resolve) => {
        if (response.socket === null) resolve()
        else response.socket.write(step.text, () => resolve())
      })
      return
    case 'continue':
      response.writeContinue()
      return
    case 'wait':
      await setTimeout(step.delayMs, undefined, { signal }).catch(() => undefined)
      recorded.waitedUntilMs.push(Date.now())
      return
    case 'gate':
      return gates.pass(step.name, signal)
    case 'end':
      response.end()
      return
    case 'reset':
      willBreak()
      response.socket?.resetAndDestroy()
      return
    case 'close':
      willBreak()
      // Destroying after the write queue has drained sends FIN, and the peer still gets every byte written so far.
      response.socket?.destroySoon()
      return
    case 'stall':
      return aborted(signal)
    default:
      step satisfies never
  }
}

/**
 * One socket write per call: the next one starts only after the kernel has accepted this one. A destroyed connection
 * also calls back, so this cannot hang.
 */
async function writeBytes(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return
  await new Promise<void>((resolve) => {
    response.write(bytes, () => resolve())
  })
  await setImmediate()
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
