import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

export interface ScriptCall {
  script: Script
  keys: readonly string[]
  values: readonly (string | number)[]
}

/**
 * Sends calls of the same turn of the event loop in one write to the socket: under load a separate write costs more
 * than the call itself. Calls fail one by one; the result of a failed call is an Error. This is not a pipeline of
 * ioredis, because each of those defines a getter of its own, which V8 keeps until the next full collection: 5 KB.
 */
export function runScripts(redis: Redis, calls: readonly ScriptCall[]): Promise<unknown[]> {
  const { promise, resolve } = Promise.withResolvers<unknown[]>()
  const answers: unknown[] = Array.from({ length: calls.length })
  let waiting = calls.length
  const take = (position: number, answer: unknown): void => {
    answers[position] = answer
    waiting -= 1
    if (waiting === 0) resolve(answers)
  }
  // Absent until the first connection.
  const stream: Redis['stream'] | undefined = redis.stream
  stream?.cork()
  calls.forEach((call, position) => {
    const { script, keys, values } = call
    redis.evalsha(script.digest, keys.length, ...keys, ...values).then(
      (answer) => take(position, answer),
      async (error: unknown) => take(position, await sendText(redis, call, error).catch(toError)),
    )
  })
  stream?.uncork()
  return promise
}

export interface Script {
  readonly text: string
  readonly digest: string
}

export function createScript(text: string): Script {
  return { text, digest: hash('sha1', text) }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Runs a script by its digest. The text is sent only to a server that does not know it, as after a restart. */
export function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  return redis
    .evalsha(script.digest, keys.length, ...keys, ...values)
    .catch((error: unknown) => sendText(redis, { script, keys, values }, error))
}

async function sendText(redis: Redis, { script, keys, values }: ScriptCall, error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
  return redis.eval(script.text, keys.length, ...keys, ...values)
}
