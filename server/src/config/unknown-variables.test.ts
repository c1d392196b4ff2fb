import { describe, expect, it } from 'vitest'
import { unknownVariables } from './unknown-variables.ts'

const settings = [{ variable: 'WEIR_HTTP_PORT' }, { variable: 'WEIR_SECRET' }]
const unknown = (env: Record<string, string>) => unknownVariables(env, settings)

describe('[O13] a variable of the environment', () => {
  it.each([
    ['WEIR_HTTP_PROT', 'WEIR_HTTP_PROT is not a known setting; did you mean WEIR_HTTP_PORT?'],
    ['WEIR_SECRETS', 'WEIR_SECRETS is not a known setting; did you mean WEIR_SECRET?'],
    ['WEIR_PORT', 'WEIR_PORT is not a known setting'],
    ['WEIR_DATABASE', 'WEIR_DATABASE is not a known setting'],
    ['WEIR_TESTING', 'WEIR_TESTING is not a known setting'],
  ])('that is mistyped is told of: %s', (name, sentence) => {
    expect(unknown({ [name]: '8484' })).toEqual([sentence])
  })

  it.each([
    ['WEIR_HTTP_PORT', '8484'],
    ['WEIR_HTTP_PROT', ''],
    ['PATH', '/bin'],
    ['MY_WEIR_PORT', '8484'],
    ['WEIR_CONFIG', 'weir.yml'],
    ['WEIR_KEY', 'sk-weir-v1-x'],
    ['WEIR_TEST_REDIS_URL', 'redis://127.0.0.1'],
    ['WEIR_SERVICE_HOST', '10.0.0.1'],
    ['WEIR_GATEWAY_SERVICE_PORT', '8484'],
    ['WEIR_GATEWAY_SERVICE_PORT_HTTP', '8484'],
    ['WEIR_PORT', 'tcp://10.0.0.1:8484'],
    ['WEIR_GATEWAY_PORT_8484_TCP', 'tcp://10.0.0.1:8484'],
    ['WEIR_GATEWAY_PORT_8484_TCP_ADDR', '10.0.0.1'],
  ])('that is ours, empty, or somebody else’s is not: %s=%s', (name, value) => {
    expect(unknown({ [name]: value })).toEqual([])
  })
})
