import type { Redis } from 'ioredis'
import { runScript, type Script } from './run-script.ts'

export interface ScriptCall {
  script: Script
  keys: readonly string[]
  values: readonly (string | number)[]
}

/**
 * Runs calls that came up in the same turn of the event loop with one write to the socket: under load a write for each
 * costs more than the call itself. Calls fail one by one; a failure is an Error in its place.
 */
export async function runScripts(redis: Redis, calls: readonly ScriptCall[]): Promise<unknown[]> {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) return [await settled(run(redis, only))]
  const pipeline = redis.pipeline()
  for (const { script, keys, values } of calls) pipeline.evalsha(script.digest, keys.length, ...keys, ...values)
  const answers = (await pipeline.exec()) ?? []
  return Promise.all(
    calls.map((call, position) => {
      const [error, answer] = answers[position] ?? [new Error('a pipelined call was not answered')]
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
