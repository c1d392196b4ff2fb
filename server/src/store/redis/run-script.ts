import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

export interface Script {
  readonly text: string
  readonly digest: string
}

export function createScript(text: string): Script {
  return { text, digest: hash('sha1', text) }
}

/** Runs a script by its digest; its text travels only to a server that does not know it, as after a restart. */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.digest, keys.length, ...keys, ...values)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return await redis.eval(script.text, keys.length, ...keys, ...values)
  }
}
