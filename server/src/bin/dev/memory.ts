import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import type { DemoKeys } from './seed-demo.ts'

/** Values that `npm run dev` generates. They are stored in a file, so that keys stay valid between starts. */
export interface Memory extends Partial<DemoKeys> {
  secret: string
  password?: string
}

export async function readMemory(path: string): Promise<Memory> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  const known = parseJsonObject(text) ?? {}
  const standardKey = stringAt(known, 'standardKey')
  const managementKey = stringAt(known, 'managementKey')
  const organizationKey = stringAt(known, 'organizationKey')
  const password = stringAt(known, 'password')
  return {
    secret: stringAt(known, 'secret') ?? randomBytes(36).toString('base64'),
    ...(password === undefined ? {} : { password }),
    ...(standardKey === undefined ? {} : { standardKey }),
    ...(managementKey === undefined ? {} : { managementKey }),
    ...(organizationKey === undefined ? {} : { organizationKey }),
  }
}

export async function writeMemory(path: string, memory: Memory): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 })
}
