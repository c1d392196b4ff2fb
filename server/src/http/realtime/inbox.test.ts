import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TextSocket } from '#lib/text-socket.ts'
import { Inbox } from './inbox.ts'

function createSocket() {
  const log: string[] = []
  const listeners: ((text: string) => void)[] = []
  const socket: Pick<TextSocket, 'onText' | 'pause' | 'resume'> = {
    onText: (listener) => listeners.push(listener),
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
  }
  return { log, socket: socket as TextSocket, receive: (text: string) => listeners[0]?.(text) }
}

describe('the inbox of a socket', () => {
  it('[NEXT-211] handles one text at a time, in order, and pauses the socket meanwhile', async () => {
    const { log, socket, receive } = createSocket()
    const gates = new Map<string, () => void>()
    const inbox = new Inbox(
      socket,
      (text) => {
        log.push(text)
        if (text === 'now') return undefined
        const { promise, resolve } = Promise.withResolvers<void>()
        gates.set(text, resolve)
        return promise
      },
      noFault,
    )
    inbox.start()
    receive('now')
    receive('a')
    receive('b')
    expect(log).toEqual(['now', 'a', 'pause'])
    gates.get('a')?.()
    await nextTurn()
    expect(log).toEqual(['now', 'a', 'pause', 'resume', 'b', 'pause'])
    inbox.block()
    gates.get('b')?.()
    receive('c')
    await nextTurn()
    expect(log.slice(6)).toEqual(['pause'])
    inbox.unblock()
    expect(log.slice(7)).toEqual(['resume', 'c', 'pause'])
    inbox.close()
    gates.get('c')?.()
    receive('d')
    await nextTurn()
    expect(log).not.toContain('d')
  })

  it('[NEXT-211] reports what its handler throws, at once or later, and goes on', async () => {
    const { log, socket, receive } = createSocket()
    const faults: unknown[] = []
    const handle = (text: string): void | Promise<void> => {
      log.push(text)
      if (text === 'throws') throw new Error(text)
      if (text === 'rejects') return Promise.reject(new Error(text))
    }
    new Inbox(socket, handle, (error) => faults.push(error)).start()
    receive('throws')
    receive('rejects')
    receive('last')
    await nextTurn()
    expect(faults).toEqual([new Error('throws'), new Error('rejects')])
    expect(log).toEqual(['throws', 'rejects', 'pause', 'resume', 'last'])
  })
})

function noFault(error: unknown): never {
  throw error
}
