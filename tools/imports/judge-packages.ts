import type { Finding } from '../lib/finding.ts'
import type { Module } from './read-modules.ts'

const clientPackages = ['pg', 'ioredis', 'undici', 'nodemailer', 'better-auth', '@better-auth', '@aws-sdk']
const clientFolders = ['store', 'net', 'bin']

/** The clients of Postgres, Redis, S3 and the network, and whatever signs people in, stay at the rim; all others ask a port. */
export function judgePackages(modules: readonly Module[]): Finding[] {
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
