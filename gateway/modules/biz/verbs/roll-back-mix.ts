import type { GivenOf } from '../../../entities'
import type { ModuleVerb } from '../../module'

/** `biz.rollBackMix`: the lines of a solution become those of a version again; the solution keeps that as its next version. */
export const verb: ModuleVerb<'biz.mixVersion'> = async ({ entities }, runs) => {
  for (const { subject } of runs) {
    const { solutionId, id } = subject.record
    const version = await entities.find('biz.mixVersion', id)
    await entities.save('biz.mixSolution', { id: solutionId, lines: (version?.lines ?? []) as GivenOf<'biz.mixLine'>[] })
  }
}
