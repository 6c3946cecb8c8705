import type { Refs } from '../../headless/row'

/** The names of referenced records of two answers. */
export const joinRefs = (before: Refs, more: Refs): Refs =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(more)])].map((entity) => [
      entity,
      { ...before[entity], ...more[entity] },
    ]),
  )
