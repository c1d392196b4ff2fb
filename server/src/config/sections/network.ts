import { Type } from 'typebox'
import { byteCount, count, milliseconds, section } from '../setting-kinds.ts'

// Requests to addresses that others name, and mail.

export const egress = section({
  allowedNetworks: Type.Array(Type.String(), {
    default: [],
    description:
      "Private networks that requests to addresses chosen by others (organizations' own keys, URLs of images) may reach beside the public internet; plain `http://` is accepted for addresses in them.",
    expects: 'a list of IP addresses and CIDR ranges',
  }),
})

export const dns = section({
  servers: Type.Array(Type.String(), {
    default: [],
    maxItems: 8,
    description:
      'DNS servers to ask for the hosts of upstreams and of addresses in requests. None: those in `/etc/resolv.conf`.',
    expects: 'a list of at most 8 IP addresses, each with a port where it is not 53',
  }),
  timeoutMs: milliseconds(3_000, {
    minimum: 50,
    maximum: 60_000,
    description: 'For the lookup of one host, its wait for a turn included.',
  }),
})

export const outbound = section({
  atOnce: count(256, {
    description:
      'Requests that a process makes at once to addresses that accounts have named: downloads of images and videos, webhooks, lists of models.',
  }),
  perAccount: count(16, { description: 'Of them those for one account.' }),
  waitingPerAccount: count(256, {
    description: 'Such requests of one account that may wait for their turn; what would be more is refused with 429.',
  }),
  bytes: byteCount(4_294_967_296, {
    description: 'Bytes that a gateway may be fetching at once, each file counted with as much as it may have.',
  }),
  bytesPerAccount: byteCount(536_870_912, { description: 'Of them those for one account.' }),
})

export const mail = section({
  url: Type.Union([Type.String({ pattern: '^smtps?://' }), Type.Null()], {
    default: null,
    description:
      'The mail server: `smtp://host:587`, or `smtps://`, with name and password where it wants them. Unset: no mail is sent, and no address is verified.',
    expects: 'an smtp:// or smtps:// URL',
  }),
  from: Type.Union([Type.String(), Type.Null()], {
    default: null,
    description: 'Who mail comes from: an address, or `Weir <weir@example.com>`. Required with `mail.url`.',
    expects: 'an email address, optionally with a name before it',
  }),
})
