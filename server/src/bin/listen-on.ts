import type { FastifyInstance } from 'fastify'
import { StartError } from './start-error.ts'

export interface Place {
  readonly host: string
  readonly port: number
  /** Never shared with the other processes of `weir gateway --processes`. */
  readonly isOwn?: true
}

/** Why binding an address failed, and whether to change its port or its host. */
const reasons: Readonly<Record<string, { readonly words: string; readonly part: 'port' | 'host' }>> = {
  EADDRINUSE: { words: 'is already in use by another process', part: 'port' },
  EACCES: { words: "can't be bound by this user (permission denied)", part: 'port' },
  EADDRNOTAVAIL: { words: 'is not an address of this machine', part: 'host' },
  ENOTFOUND: { words: 'has an unknown host name', part: 'host' },
  EAI_AGAIN: { words: 'has an unknown host name', part: 'host' },
}

/** Listens and returns the address. `setting` names the settings for both: `http` and `WEIR_HTTP`. */
export async function listenOn(
  server: FastifyInstance,
  { host, port, isOwn }: Place,
  setting: { key: string; variable: string },
): Promise<string> {
  try {
    return await server.listen({ host, port, exclusive: isOwn === true })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const reason = reasons[code]
    if (reason === undefined) throw cause
    const { words, part } = reason
    const check = `Check ${setting.key}.${part} (${setting.variable}_${part.toUpperCase()}).`
    throw new StartError(`${host}:${port} ${words}. ${check}`, { cause })
  }
}
