import { useSyncExternalStore } from 'react'

/** A switch that this browser remembers, for all components that use it. */
export function storedFlag(key: string) {
  const listeners = new Set<() => void>()
  const isOn = () => localStorage.getItem(key) === 'true'
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const toggle = () => {
    localStorage.setItem(key, String(!isOn()))
    for (const listener of listeners) listener()
  }
  return { useFlag: () => useSyncExternalStore(subscribe, isOn), toggle }
}
