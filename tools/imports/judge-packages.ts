import type { Finding } from '../lib/finding.ts'
import { type Module, sourceFolder } from './read-modules.ts'

const clientPackages = [
  'pg',
  'ioredis',
  'undici',
  'nodemailer',
  'better-auth',
  '@better-auth',
  'openid-client',
  '@node-saml',
  '@aws-sdk',
  'stripe',
]
const clientFolders = ['store', 'net', 'bin']

const lookupFile = `${sourceFolder}net/dns/ask-dns.ts`

/**
 * Only the outer layers import clients of Postgres, Redis, S3 and the network, and the sign-in library. All other
 * layers use a port.
 */
export function judgePackages(modules: readonly Module[]): Finding[] {
  return [...judgeClients(modules), ...judgeLookups(modules)]
}

function judgeClients(modules: readonly Module[]): Finding[] {
  return modules
    .filter(({ folder }) => !clientFolders.includes(folder))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) =>
          clientPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
        )
        .map(({ specifier, line }) => {
          const message = `${specifier} is for ${clientFolders.join(', ')} alone`
          return { rule: 'package', path, line, message }
        }),
    )
}

/** Node's `lookup` blocks one of libuv's four threads, so a single file queries DNS, and does so differently. */
function judgeLookups(modules: readonly Module[]): Finding[] {
  return modules
    .filter(({ path }) => path !== lookupFile)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => /^(?:node:)?dns(?:\/|$)/.test(specifier))
        .map(({ specifier, line }) => {
          return { rule: 'package', path, line, message: `${specifier} is for ${lookupFile} alone` }
        }),
    )
}
