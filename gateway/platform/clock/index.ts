/** The one clock of a gateway. Where work is only tried out it can be moved, so that tomorrow night's jobs need no waiting. */
export interface MovableClock {
  readonly now: () => Date
  /** How far it stands from the true time, in milliseconds. */
  shift(): number
  /** Puts it that far from the true time. */
  set(milliseconds: number): void
}

export function createClock(base: () => Date, shift = 0): MovableClock {
  let moved = shift
  return {
    now: () => new Date(base().getTime() + moved),
    shift: () => moved,
    set: (milliseconds) => {
      moved = milliseconds
    },
  }
}
