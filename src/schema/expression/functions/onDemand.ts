/** What functions need that few pages call: the portal loads it for a page that does, before that page is drawn. */
import { badArgument } from './arguments'
import type { SELDOM } from './seldom'

type Seldom = typeof SELDOM

let held: Seldom | undefined
let wanted = false

/** Has it from now on. */
export function provideSeldom(given: Seldom): void {
  held = given
}

/** For functions that need it: an expression that calls one was compiled. */
export function wantSeldom(): void {
  wanted = true
}

/** Something that was compiled needs it, and nobody has provided it yet. */
export function lacksSeldom(): boolean {
  return wanted && held === undefined
}

export function seldom(): Seldom {
  if (held) return held
  throw badArgument('这个函数尚未加载，请刷新页面。', 'This function is not loaded yet: please reload the page.')
}
