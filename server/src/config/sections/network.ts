import { Type } from 'typebox'
import { byteCount, count, milliseconds, section } from '../setting-kinds.ts'

// Requests to external addresses, and mail.

export const egress = section({
  allowedNetworks: Type.Array(Type.String(), {
    default: [],
    description:
      'Private networks that requests to user-supplied URLs (BYOK providers, images) can reach in addition to the public internet. Plain `http://` is accepted for addresses in these networks.',
    expects: 'a list of IP addresses and CIDR ranges',
  }),
})

export const dns = section({
  servers: Type.Array(Type.String(), {
    default: [],
    maxItems: 8,
    description:
      'DNS servers used to resolve upstream hosts and hosts of URLs in requests. Empty: the servers in `/etc/resolv.conf`.',
    expects: 'a list of at most 8 IP addresses, each with a port where it is not 53',
  }),
  timeoutMs: milliseconds(3_000, {
    minimum: 50,
    maximum: 60_000,
    description: 'Timeout for resolving one host, in ms, including time in the queue.',
  }),
})

export const outbound = section({
  atOnce: count(256, {
    description:
      'Concurrent requests per process to URLs supplied by accounts: image and video downloads, webhooks and model lists.',
  }),
  perAccount: count(16, { description: 'Concurrent requests per process to URLs supplied by one account.' }),
  waitingPerAccount: count(256, {
    description: 'Maximum queued requests to URLs supplied by one account. Further requests are rejected with 429.',
  }),
  bytes: byteCount(4_294_967_296, {
    description:
      'Maximum total size of files that a gateway downloads at once, in bytes. Each file counts at its maximum allowed size.',
  }),
  bytesPerAccount: byteCount(536_870_912, {
    description: 'Maximum total size of files that a gateway downloads at once for one account, in bytes.',
  }),
})

export const mail = section({
  url: Type.Union([Type.String({ pattern: '^smtps?://' }), Type.Null()], {
    default: null,
    description:
      'SMTP server: `smtp://host:587` or `smtps://`, with a username and password if required. Unset: no email is sent, now or later, and no email address is verified.',
    expects: 'an smtp:// or smtps:// URL',
  }),
  from: Type.Union([Type.String(), Type.Null()], {
    default: null,
    description: 'Sender of outgoing email: an address, or `Weir <weir@example.com>`. Required with `mail.url`.',
    expects: 'an email address, optionally with a name before it',
  }),
})
