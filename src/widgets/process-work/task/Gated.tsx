import { Button } from 'antd'
import { useSyncExternalStore, type ReactNode } from 'react'

/** Opens once: told by a part of the page to another without drawing what lies around them. */
interface Gate {
  open(): void
  isOpen(): boolean
  subscribe(listener: () => void): () => void
}

export const createGate = (): Gate => {
  let opened = false
  const listeners = new Set<() => void>()
  return {
    open: () => {
      if (opened) return
      opened = true
      for (const listener of [...listeners]) listener()
    },
    isOpen: () => opened,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface GatedProps {
  gate: Gate
  /** Waits for the gate. */
  locked: boolean
  onClick(): void
  children: ReactNode
}

/** The first button of a decision, which may have to wait for the form. */
export const Gated = ({ gate, locked, onClick, children }: GatedProps) => {
  const open = useSyncExternalStore(gate.subscribe, gate.isOpen)
  return (
    <Button type="primary" disabled={locked && !open} onClick={onClick}>
      {children}
    </Button>
  )
}
