import type { DemoWorld } from '../../demo'

/** Somebody of the demo company by position; the first of it, or a later one. */
export function holder({ staff }: Pick<DemoWorld, 'staff'>, position: string, index = 0): string {
  const found = staff.filter((one) => one.position === position && one.status !== 'left')[index]
  if (!found) throw new Error(`Nobody of the demo company is ${position} (${index}).`)
  return found.id
}
