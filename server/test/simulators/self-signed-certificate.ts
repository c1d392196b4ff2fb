import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Certificate {
  key: string
  cert: string
}

/** A new certificate for 127.0.0.1 and localhost without an authority. */
export async function selfSignedCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-tls-'))
  try {
    const keyPath = join(folder, 'key.pem')
    const certPath = join(folder, 'cert.pem')
    const curve = 'ec -pkeyopt ec_paramgen_curve:prime256v1'
    const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'
    const command = `req -x509 -newkey ${curve} -nodes -days 2 ${names}`
    await promisify(execFile)('openssl', [...command.split(' '), '-keyout', keyPath, '-out', certPath])
    return { key: await readFile(keyPath, 'utf8'), cert: await readFile(certPath, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
