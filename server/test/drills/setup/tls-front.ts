import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

/** The certificates of a TLS server; clients may only trust the first. */
export const certificates = ['sound', 'self-signed', 'expired', 'of another host', 'no TLS at all'] as const
type CertificateKind = (typeof certificates)[number]

/** A TLS server in front of another server, whose certificate can be changed while it runs. */
interface TlsFront {
  /** The URL contains a host name, because certificates are issued for names. */
  readonly url: string
  /** The file of the authority that signs the sound certificate. */
  readonly authorityFile: string
  present(kind: CertificateKind): void
  close(): Promise<void>
}

const run = promisify(execFile)

export async function startTlsFront(targetPort: number): Promise<TlsFront> {
  const { contexts, authorityFile } = await makeCertificates()
  let kind: CertificateKind = 'sound'
  const open = new Set<Socket>()
  const listener = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    const secureContext = contexts.get(kind)
    // Responds like a server without TLS.
    if (secureContext === undefined) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const secured = new TLSSocket(socket, { isServer: true, secureContext })
    const target = connect(targetPort, '127.0.0.1')
    target.on('error', () => socket.destroy())
    secured.on('error', () => target.destroy())
    secured.pipe(target).pipe(secured)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  return {
    url: `https://localhost:${address.port}`,
    authorityFile,
    present: (next) => {
      kind = next
      // Established connections have already been verified.
      for (const socket of open) socket.destroy()
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

async function makeCertificates(): Promise<{
  contexts: ReadonlyMap<CertificateKind, SecureContext>
  authorityFile: string
}> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  const openssl = (...words: string[]) => run('openssl', words, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Drill CA')

  const sign = async (name: string, host: string, days: string): Promise<SecureContext> => {
    await writeFile(join(folder, `${name}.ext`), `subjectAltName=DNS:${host}\n`)
    await openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${host}`)
    const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`]
    await openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, '-days', days, ...signer)
    return contextOf(name)
  }
  const contextOf = async (name: string): Promise<SecureContext> =>
    createSecureContext({
      key: await readFile(join(folder, `${name}.key`)),
      cert: await readFile(join(folder, `${name}.pem`)),
    })
  await openssl('req', '-x509', ...key, '-keyout', 'own.key', '-out', 'own.pem', '-days', '2', '-subj', '/CN=localhost')
  const contexts = new Map<CertificateKind, SecureContext>([
    ['sound', await sign('sound', 'localhost', '2')],
    ['self-signed', await contextOf('own')],
    ['expired', await sign('expired', 'localhost', '0')],
    ['of another host', await sign('other', 'elsewhere.example', '2')],
  ])
  return { contexts, authorityFile: join(folder, 'ca.pem') }
}
