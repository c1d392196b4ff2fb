import { expect, it } from 'vitest'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createGuard } from './guard.ts'

it('lets standard keys call models, and management keys never', () => {
  const guard = createGuard()
  expect(() => guard(makePrincipal())).not.toThrow()
  expect(() => guard(makePrincipal({ keyType: 'management' }))).toThrow(
    expect.objectContaining({ errorName: 'forbidden' }),
  )
})
