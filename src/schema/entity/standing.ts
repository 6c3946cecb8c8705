import type { EntityDocument, Transition } from '../generated/entity'

type Machine = NonNullable<EntityDocument['x-states']>[number]

/** Somebody takes the transition himself. */
export const isByHand = ({ auto, by }: Transition): boolean => auto === undefined && !(by?.length === 1 && by[0] === 'system')

/**
 * The states in which a record is still open: somebody can move it on, or end it. One that can only be brought back, like a won
 * opportunity, or that nobody leaves by hand, like a paid bill, is not.
 */
export function standingCodes({ initial, transitions }: Machine): string[] {
  const moves = transitions.flatMap(({ from, to, ...rest }) =>
    to === undefined
      ? []
      : from.filter((code) => code !== to).map((code) => ({ from: code, to, byHand: isByHand({ from, to, ...rest }) })),
  )
  const depths = new Map([[initial, 0]])
  for (const [code, depth] of depths)
    for (const move of moves) if (move.from === code && !depths.has(move.to)) depths.set(move.to, depth + 1)
  const depthOf = (code: string): number => depths.get(code) ?? 0
  const ends = (code: string): boolean => !moves.some((move) => move.from === code && move.byHand)
  const leadsOn = (move: (typeof moves)[number]): boolean =>
    move.byHand && (ends(move.to) || depthOf(move.to) >= depthOf(move.from))
  return [...new Set(moves.filter(leadsOn).map(({ from }) => from))]
}
