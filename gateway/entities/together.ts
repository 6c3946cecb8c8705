import type { BulkSave, EntityService } from './types'

const SEQUENTIAL = [
  ...['beforeSave', 'afterSave', 'beforeDelete', 'afterDelete', 'beforeMerge', 'afterMerge', 'beforeRestore', 'afterRestore'],
  ...['effect', 'afterEffect', 'refused', 'computeFields'],
] as const
/** Hooks of which the first answer holds. */
const FIRST = ['guard', 'outOfReach', 'filter'] as const

type Hook = (...given: readonly unknown[]) => unknown

/**
 * The services that stand on one entity as one, in their order: hooks run one after the other, of refusals the first holds. What
 * none of them has, it has not. Many records are saved at once only if each that has a say in saves can do so.
 */
export function together(services: readonly EntityService[]): EntityService | undefined {
  if (services.length <= 1) return services[0]
  const hooksOf = (name: string): Hook[] =>
    services.flatMap((service) => {
      const hook = (service as Readonly<Record<string, unknown>>)[name]
      return typeof hook === 'function' ? [(...given) => (hook as Hook).apply(service, [...given])] : []
    })
  const inputs = services.flatMap((service) => service.inputs ?? [])
  const refusals = services.flatMap((service) => service.refusals?.bind(service) ?? [])
  const shares = services.find((service) => service.shares)?.shares
  const savers = services.filter((service) => service.beforeSave ?? service.afterSave ?? service.bulk)
  const one: EntityService = {
    ...(inputs.length > 0 ? { inputs } : {}),
    ...(shares ? { shares } : {}),
    ...(savers.length > 0 && savers.every((service) => service.bulk)
      ? { bulk: () => bulkTogether(savers.map((service) => service.bulk!())) }
      : {}),
  }
  if (refusals.length > 0)
    one.refusals = (record, call) => {
      const told = refusals.map((refuse) => refuse(record, call))
      const first = (of: 'edit' | 'delete') => told.find((answer) => answer[of])?.[of] ?? null
      return { edit: first('edit'), delete: first('delete') }
    }
  for (const name of SEQUENTIAL) {
    const hooks = hooksOf(name)
    const inTurn: Hook = async (...given) => {
      for (const hook of hooks) await hook(...given)
    }
    if (hooks.length > 0) Object.assign(one, { [name]: inTurn })
  }
  for (const name of FIRST) {
    const hooks = hooksOf(name)
    if (hooks.length > 0) Object.assign(one, { [name]: name === 'filter' ? firstOf(hooks) : firstAwaited(hooks) })
  }
  return one
}

const firstOf =
  (hooks: readonly Hook[]): Hook =>
  (...given) => {
    for (const hook of hooks) {
      const answer = hook(...given)
      if (answer !== null && answer !== undefined) return answer
    }
    return undefined
  }

const firstAwaited =
  (hooks: readonly Hook[]): Hook =>
  async (...given) => {
    for (const hook of hooks) {
      const answer = await hook(...given)
      if (answer !== null && answer !== undefined) return answer
    }
    return null
  }

const bulkTogether = (parts: readonly BulkSave[]): BulkSave => ({
  prepare: async (hooks) => {
    for (const part of parts) await part.prepare(hooks)
  },
  beforeSave: async (hook) => {
    for (const part of parts) await part.beforeSave(hook)
  },
  accepted: (hook) => {
    for (const part of parts) part.accepted(hook)
  },
  afterSave: async (hooks) => {
    for (const part of parts) await part.afterSave(hooks)
  },
})
