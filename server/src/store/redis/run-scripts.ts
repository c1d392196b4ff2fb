import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

export interface ScriptCall {
  script: Script
  keys: readonly string[]
  values: readonly (string | number)[]
}

/**
 * Sends calls of the same turn of the event loop in one write to the socket: under load a separate write costs more
 * than the call itself. Calls fail one by one; the result of a failed call is an Error.
 */
export async function runScripts(redis: Redis, calls: readonly ScriptCall[]): Promise<unknown[]> {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) return [await settled(run(redis, only))]
  const pipeline = redis.pipeline()
  for (const { script, keys, values } of calls) pipeline.evalsha(script.digest, keys.length, ...keys, ...values)
  const answers = (await pipeline.exec()) ?? []
  return Promise.all(
    calls.map((call, position) => {
      const [error, answer] = answers[position] ?? [new Error('a pipelined command got no reply')]
      if (error === null) return answer
      return error?.message.startsWith('NOSCRIPT') ? settled(run(redis, call)) : error
    }),
  )
}

function run(redis: Redis, { script, keys, values }: ScriptCall): Promise<unknown> {
  return runScript(redis, script, keys, values)
}

async function settled(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

export interface Script {
  readonly text: string
  readonly digest: string
}

export function createScript(text: string): Script {
  return { text, digest: hash('sha1', text) }
}

/** Runs a script by its digest. The text is sent only to a server that does not know it, as after a restart. */
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
