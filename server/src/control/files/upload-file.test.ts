import { createHook } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { uploadFile } from './upload-file.ts'

it('[NEXT-172] opens no file that it rejects', async () => {
  const principal = { walletId: 'w', userId: null, memberId: null, teamId: null } as unknown as Principal
  const content = { kind: 'disk' as const, path: '/a/folder/that/is/not/there' }
  const shape = { name: 'lines.jsonl', mediaType: 'text/plain', byteCount: 5, head: Buffer.alloc(0) }
  const file = { field: 'file', ...shape, content }
  const opened: string[] = []
  const hook = createHook({ init: (_id, type) => opened.push(type) }).enable()
  const uploading = uploadFile(
    { files: { create: async () => 'full' }, bytesMax: 10, retentionMs: 1 },
    { principal, fields: { purpose: 'batch' }, files: [file], nowMs: 0 },
  )
  await expect(uploading).rejects.toMatchObject({ errorName: 'tooManyFiles' })
  await nextTurn()
  hook.disable()
  expect(opened.filter((type) => type.startsWith('FSREQ'))).toEqual([])
})
