import type { FastifyInstance } from 'fastify'
import { StartError } from './start-error.ts'

export interface Place {
  readonly host: string
  readonly port: number
  /** Never shared with the other processes of `weir gateway --processes`. */
  readonly isOwn?: true
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process',
  EADDRNOTAVAIL: 'is no address of this machine',
  EACCES: 'may not be listened on by this user',
}

/** Listens, and gives the address. `setting` is where the port can be changed. */
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
    throw new StartError(`${host}:${port} ${reason}. Check ${setting.key} (${setting.variable}).`, { cause })
  }
}
