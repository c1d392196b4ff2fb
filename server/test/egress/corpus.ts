/**
 * URLs that lead to non-public addresses, in all spellings that parsers are known to read. Each has the port of a
 * canary, so that a connection to this machine is detected.
 */
export interface HostileUrl {
  readonly url: string
  /** A name whose first answer is public: it can be stored, but never be connected to. */
  readonly rebinds: boolean
}

export function hostileUrls(port: number): HostileUrl[] {
  const literals = ipv4Hosts.flatMap((address) => [...spellings(address), ...embeddings(address)])
  const names = [...namesOfHosts, ...ipv4Hosts.map(nameFor), ...ipv6Hosts.map((_, index) => `v6-${index}.dns.example`)]
  const hosts = [...literals, ...ipv6Hosts.map((address) => `[${address}]`), ...names]
  return [
    ...hosts.map((host) => ({ url: `https://${host}:${port}/v1`, rebinds: false })),
    ...[...tricks(port), ...dirty(port)].map((url) => ({ url, rebinds: false })),
    ...Array.from({ length: 12 }, (_, index) => ({
      url: `https://rebind-${index}.dns.example:${port}/v1`,
      rebinds: true,
    })),
  ]
}

/** The resolver of the tests: returns the addresses of the names above. */
export function createHostileResolver(): (host: string) => Promise<readonly string[]> {
  const asked = new Map<string, number>()
  return async (host) => {
    const times = (asked.get(host) ?? 0) + 1
    asked.set(host, times)
    if (host.startsWith('rebind-'))
      return times === 1 ? [publicAddress] : ['127.0.0.1', '::1'].slice(0, 1 + (times % 2))
    if (host.startsWith('mixed-')) return [publicAddress, '127.0.0.1']
    const v4 = ipv4Hosts.find((address) => nameFor(address) === host)
    const v6 = ipv6Hosts[Number(/^v6-(\d+)\.dns\.example$/.exec(host)?.[1] ?? Number.NaN)]
    const found = v4 ?? v6
    if (found === undefined) throw new Error(`ENOTFOUND ${host}`)
    return [found]
  }
}

export const publicAddress = '93.184.216.34'

const ipv4Hosts = [
  '127.0.0.1',
  '127.0.0.53',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

const ipv6Hosts = [
  '::1',
  '::',
  '0:0:0:0:0:0:0:1',
  '::0001',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:127.0.0.1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '3fff::1',
  '4000::1',
]

const namesOfHosts = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'localhost.localdomain',
  'printer.local',
  'db.internal',
  'intranet',
  'router.lan',
  'nas.home.arpa',
  'metadata',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'instance-data',
  'instance-data.ec2.internal',
  'mixed-1.dns.example',
  'mixed-2.dns.example',
  'lOcAlHoSt',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'local%68ost',
  'localhost%2e',
  'vault.private',
  'x.corp',
  '%00localhost',
]

function nameFor(address: string): string {
  return `v4-${address.replaceAll('.', '-')}.dns.example`
}

function spellings(address: string): string[] {
  const octets = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = octets
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  return [
    address,
    `${address}.`,
    `${whole}`,
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    octets.map((octet) => `0x0000${octet.toString(16)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${c * 256 + d}`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '%2e'),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    wide(address),
  ]
}

function wide(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
}

function embeddings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const pair = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [
    `[::ffff:${address}]`,
    `[::ffff:${pair}]`,
    `[0:0:0:0:0:ffff:${pair}]`,
    `[::ffff:0:${pair}]`,
    `[::${address}]`,
    `[::${pair}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${pair}]`,
    `[64:ff9b:1::${pair}]`,
    `[2002:${pair}::]`,
  ]
}

/** URLs that parsers read differently. */
function tricks(port: number): string[] {
  const target = `127.0.0.1:${port}`
  return [
    `http://${target}/`,
    `HTTP://${target}/`,
    `ftp://${target}/`,
    `file://${target}/`,
    `gopher://${target}/_x`,
    `ws://${target}/`,
    `wss://${target}/`,
    `//${target}/`,
    target,
    `https:${target}/`,
    `https:/${target}/`,
    `https:///${target}/`,
    `https:\\\\${target}\\`,
    `https://api.example.com@${target}/`,
    `https://a:b@${target}/`,
    `https://@${target}/`,
    `https://:@${target}/`,
    `https://%40${target}/`,
    `https://a@b@${target}/`,
    `https://${target}#@api.example.com/`,
    `https://${target}?@api.example.com/`,
    `https://${target}\\@api.example.com/`,
    `https://api.example.com\\@${target}/`,
    `https://api.example.com%23@${target}/`,
    `https://${target}/../v1`,
  ]
}

/** URLs with characters that some parsers drop, and strings that are not web URLs. */
function dirty(port: number): string[] {
  const target = `127.0.0.1:${port}`
  return [
    ` https://${target}/`,
    `https://${target}/ `,
    `\thttps://${target}/`,
    `https://12\t7.0.0.1:${port}/`,
    `https://127.0.\n0.1:${port}/`,
    `ht\ntps://${target}/`,
    `https://\u0000${target}/`,
    `https://${target}\r\nHost: x/`,
    `https://127.0.0.1\u200b:${port}/`,
    `https://127\u00ad.0.0.1:${port}/`,
    `https://\u202e127.0.0.1:${port}/`,
    `https://[::1%25lo]:${port}/`,
    `https://[fe80::1%lo]:${port}/`,
    `https://[::1]:${port}@api.example.com/`,
    `https://127.0.0.1..:${port}/`,
    `https://127.0.0.1:0${port}/`,
    `https://127.0.0.1:${port + 65_536}/`,
    `https://[]:${port}/`,
    'https://api.example.com:22/',
    'https://api.example.com:6379/',
    'https://api.example.com:0/',
    'https://',
    'https://.',
    'https://?',
    'javascript:alert(1)',
    'data:text/plain,x',
    'about:blank',
    'blob:https://x',
    '',
  ]
}
