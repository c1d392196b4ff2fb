import { type Finding, fault, ok, warning } from './finding.ts'

const majorMin = 7

/** `info` is the output of the INFO command. */
export function judgeRedis(info: string): Finding[] {
  const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const valkey = field('valkey_version')
  const name = valkey === '' ? `Redis ${field('redis_version')}` : `Valkey ${valkey}`
  const [major = ''] = field('redis_version').split('.')
  const policy = field('maxmemory_policy')
  return [
    Number(major) >= majorMin
      ? ok('redis', name)
      : fault('redis', `${name} is too old`, 'upgrade to Redis 7 or later, or to Valkey'),
    ...(field('role') === 'slave'
      ? [fault('redis', 'is a read-only replica', 'list the sentinels in WEIR_REDIS_URL: docs/operating.md')]
      : []),
    policy === 'noeviction' || policy === ''
      ? ok('redis memory', policy === '' ? 'eviction policy unknown' : 'noeviction')
      : warning(
          'redis memory',
          `${policy}: when memory runs out, Redis evicts rate limit and free quota counters`,
          'set maxmemory-policy noeviction',
        ),
  ]
}
