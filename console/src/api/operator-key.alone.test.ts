import { afterEach, expect, it, vi } from 'vitest'
import { operatorKey } from './operator-key.ts'

afterEach(() => {
  operatorKey.forget()
  vi.useRealTimers()
})

it('is forgotten after ten minutes without a call, and each call keeps it', () => {
  vi.useFakeTimers()
  operatorKey.keep('sk-operator')
  vi.advanceTimersByTime(599_000)
  expect(operatorKey.use()).toBe('sk-operator')
  vi.advanceTimersByTime(599_000)
  expect(operatorKey.has()).toBe(true)
  vi.advanceTimersByTime(1_000)
  expect(operatorKey.has()).toBe(false)
  expect(() => operatorKey.use()).toThrow(/Enter it again/)
})

it('tells who shows it when it comes and goes', () => {
  const seen: boolean[] = []
  const stop = operatorKey.subscribe(() => void seen.push(operatorKey.has()))
  operatorKey.keep('sk-operator')
  operatorKey.forget()
  stop()
  operatorKey.keep('sk-other')
  expect(seen).toEqual([true, false])
})
