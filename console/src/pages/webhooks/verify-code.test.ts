import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { verifyCode } from './verify-code.ts'

const run = promisify(execFile)
const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const body = '{"event":"video.completed","id":"vjob_ä"}'

function sign(atS: number): Record<string, string> {
  const signature = createHmac('sha256', key).update(`msg_1.${atS}.${body}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(atS), 'webhook-signature': `v1,${signature}` }
}

/** A program that prints the function's result for each case: headers, body and secret. */
const ends = {
  typescript: `for (const [headers, body, secret] of JSON.parse(process.argv[2] ?? '')) {
  console.log(await isFromWeir(new Headers(headers), body, secret))
}
`,
  python: `import json, sys
for headers, body, secret in json.loads(sys.argv[1]):
    print(str(is_from_weir(headers, body.encode(), secret)).lower())
`,
}

test.each([
  { language: 'typescript', file: 'verify.ts', program: process.execPath },
  { language: 'python', file: 'verify.py', program: 'python3' },
] as const)('the function in $language takes a recent call that the secret signed, and no other', async (terms) => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-verify-'))
  const path = join(folder, terms.file)
  await writeFile(path, verifyCode[terms.language] + ends[terms.language])
  const nowS = Math.floor(Date.now() / 1_000)
  const signed = sign(nowS)
  const cases = [
    [signed, body, secret],
    [signed, body.replace('completed', 'failed'), secret],
    [signed, body, `whsec_${randomBytes(32).toString('base64')}`],
    [{ ...signed, 'webhook-id': 'msg_2' }, body, secret],
    [{ ...signed, 'webhook-signature': 'v1,short' }, body, secret],
    [sign(nowS - 3_600), body, secret],
    [{}, body, secret],
  ]
  const { stdout } = await run(terms.program, [path, JSON.stringify(cases)])
  expect(stdout.trim().split('\n')).toEqual(['true', ...cases.slice(1).map(() => 'false')])
  await rm(folder, { recursive: true })
})
