import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/** Starts a program of the demo that ends with this process, and returns the first line it prints, which is JSON. */
export async function startCompanion(name: string, command: readonly string[]): Promise<JsonObject> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const { stdout } = child
  if (stdout === null) throw new Error(`the ${name} has no output stream`)
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The demo ${name} failed to start.`)))
  const [line] = await Promise.race([once(createInterface({ input: stdout }), 'line'), ended])
  // The child ends together with this process, which must not wait for it.
  child.unref()
  child.channel?.unref()
  return parseJsonObject(String(line)) ?? {}
}
