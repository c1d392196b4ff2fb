/** Upstream sentences with confidential parts that must not reach clients. */
interface Leak {
  readonly name: string
  readonly sentence: string
  readonly secret: string
  /** Only the gateway knows that it is a secret: its format does not show it. */
  readonly isFormless?: true
}

export const leaks: readonly Leak[] = [
  leak("a vendor's key", 'sk-VENDORSECRET-openai-xyz'),
  leak('a shortened key', 'sk-proj-ab***********wxyz'),
  leak('a key of Google', 'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'),
  leak('a bearer token', 'abc.DEF-123', 'Bearer abc.DEF-123'),
  leak('a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'),
  leak('a hexadecimal key', 'f3b1c2d4e5a697887766554433221100aabbccdd'),
  leak('a key that is a UUID', '0b6f3c1e-6f0a-4a53-9c1d-2f1f5f8a7b60'),
  { ...leak('the credential of the account', 'upstream-secret'), isFormless: true },
  leak('a repeated header', 'hunter2hunter2', 'x-api-key: hunter2hunter2'),
  leak('an internal URL', 'vllm-7.models.svc.cluster.local', 'http://vllm-7.models.svc.cluster.local:8000/v1'),
  leak('a URL with a password', 'hunter2', 'https://admin:hunter2@models.example.com/v1'),
  leak('a signed URL', 'X-Amz-Signature=abcdef', 'https://cdn.example.com/a.png?X-Amz-Signature=abcdef'),
  leak('an address of the network', '10.4.17.9', '10.4.17.9:8000'),
  leak('an address of version 6', 'fd00:12:34::7', '[fd00:12:34::7]:8000'),
  leak('a host with its port', 'gpu-node-17', 'gpu-node-17:8000'),
  leak('the id of an account', 'org-AbCdEf123456'),
  leak('the name of a resource', '123456789012', 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/x'),
  leak('the address of an administrator', 'ops@weir.example'),
]

/** Long enough to be truncated, and truncation must not make a secret look harmless. */
export const longSentence = `Wrong: ${'word '.repeat(2_000)}`

/** All of them in few sentences, each short enough to be shown in full. */
export const sentences: readonly string[] = inGroupsOf(4, leaks).map((group) =>
  group.map(({ sentence }) => sentence).join(' and '),
)

function inGroupsOf(size: number, all: readonly Leak[]): Leak[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/** The names of the leaks whose secret is in a text. */
export function leakedIn(text: string): string[] {
  return leaks.filter(({ secret }) => text.includes(secret)).map(({ name }) => name)
}

/** The longest part of the long sentence that arrived. */
export function longestPiece(text: string): number {
  return Math.max(0, ...(text.match(/(?:word ?)+/g) ?? []).map(({ length }) => length))
}

function leak(name: string, secret: string, text = secret): Leak {
  return { name, secret, sentence: `The field is wrong see ${text} for more` }
}
