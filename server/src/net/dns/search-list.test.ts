import { describe, expect, it } from 'vitest'
import { namesToTry, noSearchList, parseHosts, parseSearchList } from './search-list.ts'

describe('[B4] resolv.conf', () => {
  it('says how names are completed, as in a cluster', () => {
    const text = 'nameserver 10.96.0.10\nsearch ns.svc.cluster.local svc.cluster.local.\noptions edns0 ndots:5 # here\n'
    const list = parseSearchList(text)
    expect(list).toEqual({ domains: ['ns.svc.cluster.local', 'svc.cluster.local'], dotsMin: 5 })
    expect(namesToTry('vllm.default', list)).toEqual([
      'vllm.default.ns.svc.cluster.local',
      'vllm.default.svc.cluster.local',
      'vllm.default',
    ])
    expect(namesToTry('api.example.com.', list)).toEqual(['api.example.com'])
  })

  it('is read as glibc reads it: the last list counts, and a dot is enough without ndots', () => {
    const list = parseSearchList('search a.example\n; search b.example\ndomain c.example\n')
    expect(list).toEqual({ domains: ['c.example'], dotsMin: 1 })
    expect(namesToTry('host.d', list)).toEqual(['host.d', 'host.d.c.example'])
    expect(namesToTry('host', list)).toEqual(['host.c.example', 'host'])
    expect(parseSearchList('')).toEqual(noSearchList)
    expect(namesToTry('host', noSearchList)).toEqual(['host'])
    expect(parseSearchList('options ndots:99').dotsMin).toBe(15)
  })
})

describe('[B4] a hosts file', () => {
  it('has several names on a line and several addresses for a name', () => {
    const text = '127.0.0.1\tlocalhost Vm # us\n::1 localhost\n# 10.0.0.1 hidden\nfe80::1%lo0 localhost\nnonsense x\n'
    expect(parseHosts(text)).toEqual(
      new Map([
        ['localhost', ['127.0.0.1', '::1']],
        ['vm', ['127.0.0.1']],
      ]),
    )
  })
})
