import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { signHashes, writeHashes } from './sign.ts'

it('signs the hashes of a release so that sha256sum and openssl verify them, and notice a change', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-sign-'))
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const verify = () =>
    run('openssl', ...'pkeyutl -verify -pubin -inkey weir.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(' '))
  try {
    const key = run('openssl', 'genpkey', '-algorithm', 'ed25519')
    writeFileSync(join(folder, 'weir.tgz'), 'a package')
    const hashes = writeHashes(folder)
    const keyFile = join(folder, 'key.pem')
    writeFileSync(keyFile, key)
    signHashes(hashes, keyFile)
    expect(run('sha256sum', '--check', 'SHA256SUMS')).toBe('weir.tgz: OK\n')
    expect(verify()).toContain('Verified Successfully')
    appendFileSync(join(folder, 'weir.tgz'), '!')
    expect(() => run('sha256sum', '--check', 'SHA256SUMS')).toThrow()
    appendFileSync(hashes, 'one more\n')
    expect(verify).toThrow()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
