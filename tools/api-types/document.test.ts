import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lint } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { readDocument } from './read-document.ts'
import { typesPath } from './types-file.ts'

describe('the OpenAPI document, as other programs judge it', () => {
  let folder: string
  let document: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-document-'))
    document = await readDocument()
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** The findings of Redocly's recommended rules, including warnings. */
  async function redocly(text: string): Promise<string[]> {
    const ref = join(folder, 'openapi.json')
    writeFileSync(ref, text)
    const config = await createConfig({
      extends: ['recommended'],
      // Some public lists never reject a request.
      rules: { 'operation-4xx-response': 'off' },
    })
    return (await lint({ ref, config })).map(({ ruleId, message, location }) => {
      return `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`
    })
  }

  it('has no finding of Redocly, besides the handshake of a WebSocket, which succeeds with 101', async () => {
    expect(await redocly(document)).toEqual([
      'operation-2xx-response: Operation must have at least one `2XX` response. #/paths/~1v1~1realtime/get/responses',
    ])
  })

  it('is valid to swagger-parser', async () => {
    await expect(SwaggerParser.validate(JSON.parse(document))).resolves.toMatchObject({ openapi: '3.1.0' })
  })

  it('would be found out with a reference that leads nowhere', async () => {
    const broken = document.replace('#/components/schemas/ChatCompletion"', '#/components/schemas/Nothing"')
    expect(broken).not.toBe(document)
    expect((await redocly(broken)).join()).toMatch(/no-unresolved-refs/)
    await expect(SwaggerParser.validate(JSON.parse(broken))).rejects.toThrow(/Nothing/)
  })

  it('gives types that compile under strict', async () => {
    const { code, output } = await runCommand(
      [
        'tsc',
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        'false',
        '--exactOptionalPropertyTypes',
        '--types',
        '',
        typesPath,
      ],
      { cwd: repositoryRoot },
    )
    expect({ code, output }).toEqual({ code: 0, output: '' })
  })
})
