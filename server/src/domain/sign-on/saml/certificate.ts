import { type KeyObject, X509Certificate } from 'node:crypto'
import { SamlFault } from './saml-fault.ts'

const bitsMin = 2_048
const lengthMax = 20_000
const pemForm = /-----BEGIN CERTIFICATE-----([\s\w+/=]*)-----END CERTIFICATE-----/g

/** The certificates in a text, as PEM or as plain base64. Rejects certificates that can't verify a signature. */
export function parseCertificates(text: string): string[] {
  const framed = [...text.matchAll(pemForm)].map(([, body = '']) => body)
  return (framed.length > 0 ? framed : [text]).map(parseCertificate)
}

function parseCertificate(base64: string): string {
  const { pem, key } = read(base64)
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < bitsMin) {
    throw new SamlFault(`The certificate must have an RSA key of at least ${bitsMin} bits.`)
  }
  return pem
}

function read(base64: string): { pem: string; key: KeyObject } {
  const compact = base64.replace(/\s/g, '')
  if (compact === '' || compact.length > lengthMax || !/^[\w+/]+={0,2}$/.test(compact)) throw unreadable()
  try {
    const parsed = new X509Certificate(Buffer.from(compact, 'base64'))
    // The key is decoded only here, and may be broken in a certificate that is not.
    return { pem: parsed.toString().trim(), key: parsed.publicKey }
  } catch {
    throw unreadable()
  }
}

function unreadable(): SamlFault {
  return new SamlFault('The certificate could not be read. Paste it as PEM.')
}

/** When a certificate ends, in Unix milliseconds. */
export function certificateEndsAtMs(pem: string): number {
  return new X509Certificate(pem).validToDate.getTime()
}
